import type { ComponentChild } from "preact"
import type { Session } from "./data/session.ts"
import { Payment } from "./views/Payment.tsx"
import { Payments } from "./views/Payments.tsx"

type Role = Session["role"]

/** A part of the console: whose it is, where it stands, and what it shows. */
export interface Section {
  readonly name: string
  readonly path: string
  readonly group: string
  readonly roles: ReadonlyArray<Role>
  /** `id` is what comes behind the section's own path, where there is something. */
  readonly show: (session: Session, id: string | undefined) => ComponentChild
}

const BOTH = ["seller", "buyer"] as const

/** The parts of the console, in the order of its menu. The first of a role is where it begins. */
export const SECTIONS: ReadonlyArray<Section> = [
  {
    name: "Payments",
    path: "/payments",
    group: "Money",
    roles: BOTH,
    show: (session, id) =>
      id === undefined ? <Payments /> : <Payment key={id} id={id} session={session} />,
  },
]

/** The sections of who is signed in, by their groups. */
export const sectionsOf = ({ role }: Session): ReadonlyArray<Section> =>
  SECTIONS.filter(({ roles }) => roles.some((known) => known === role))
