import type { Section } from "../sections.tsx"
import { AccountPage } from "./AccountPage.tsx"
import { Accounts } from "./Accounts.tsx"
import { Appeal } from "./Appeal.tsx"
import { Audit } from "./Audit.tsx"
import { Health } from "./Health.tsx"
import { Review } from "./Review.tsx"
import { Appeals, Reviews } from "./Reviews.tsx"

const OPERATOR = { group: "Operator", roles: ["operator"] } as const

/** The sections for operators. */
export const OPERATOR_SECTIONS: ReadonlyArray<Section> = [
  {
    ...OPERATOR,
    name: "Accounts",
    path: "/accounts",
    show: (_, id) => (id === undefined ? <Accounts /> : <AccountPage key={id} id={id} />),
  },
  {
    ...OPERATOR,
    name: "Reviews",
    path: "/reviews",
    show: (session, id) =>
      id === undefined ? <Reviews /> : <Review key={id} id={id} session={session} />,
  },
  {
    ...OPERATOR,
    name: "Appeals",
    path: "/appeals",
    show: (session, id) =>
      id === undefined ? <Appeals /> : <Appeal key={id} id={id} session={session} />,
  },
  { ...OPERATOR, name: "Audit log", path: "/audit", show: (_, id) => <Audit id={id} /> },
  { ...OPERATOR, name: "Health", path: "/health", show: () => <Health /> },
]
