import type { ComponentChild } from "preact"
import type { Session } from "./data/session.ts"
import { InstallPage } from "./installs/InstallPage.tsx"
import { OPERATOR_SECTIONS } from "./operator/operatorSections.tsx"
import { SANDBOX_SECTIONS } from "./sandbox/sandboxSections.tsx"
import { ServicePage } from "./services/ServicePage.tsx"
import { Agents } from "./views/Agents.tsx"
import { Authorize } from "./views/Authorize.tsx"
import { Balance } from "./views/Balance.tsx"
import { Deliveries, Delivery } from "./views/Deliveries.tsx"
import { Endpoints } from "./views/Endpoints.tsx"
import { Installs } from "./views/Installs.tsx"
import { Keys } from "./views/Keys.tsx"
import { Overview } from "./views/Overview.tsx"
import { Payment } from "./views/Payment.tsx"
import { Payments } from "./views/Payments.tsx"
import { RefundRequests } from "./views/RefundRequests.tsx"
import { Refunds } from "./views/Refunds.tsx"
import { Reports } from "./views/Reports.tsx"
import { Services } from "./views/Services.tsx"
import { Invoices, Subscriptions } from "./views/Subscriptions.tsx"

type Role = Session["role"]

/** A section of the console: its roles, its path, and its view. */
export interface Section {
  readonly name: string
  readonly path: string
  readonly group: string
  readonly roles: ReadonlyArray<Role>
  /** Set if the menu has no link to it. */
  readonly isUnlisted?: true
  /** The mode that it is limited to; all modes by default. */
  readonly mode?: Session["mode"]
  /** `id` is the rest of the path after the section's own, if there is one. */
  readonly show: (session: Session, id: string | undefined) => ComponentChild
}

const BOTH = ["seller", "buyer"] as const
const SELLER = ["seller"] as const
const BUYER = ["buyer"] as const

/** The sections in the order of the menu. The first of a role is its start page. */
const SECTIONS: ReadonlyArray<Section> = [
  {
    name: "Payments",
    path: "/payments",
    group: "Money",
    roles: BOTH,
    show: (session, id) =>
      id === undefined ? <Payments /> : <Payment key={id} id={id} session={session} />,
  },
  { name: "Refunds", path: "/refunds", group: "Money", roles: SELLER, show: () => <Refunds /> },
  {
    name: "Refund requests",
    path: "/refund-requests",
    group: "Money",
    roles: BOTH,
    show: () => <RefundRequests />,
  },
  { name: "Balance", path: "/balance", group: "Money", roles: SELLER, show: () => <Balance /> },
  { name: "Reports", path: "/reports", group: "Money", roles: SELLER, show: () => <Reports /> },
  { name: "Overview", path: "/overview", group: "Money", roles: SELLER, show: () => <Overview /> },
  {
    name: "Services",
    path: "/services",
    group: "Selling",
    roles: SELLER,
    show: (session, id) =>
      id === undefined ? (
        <Services session={session} />
      ) : (
        <ServicePage key={id} id={id === "new" ? undefined : id} />
      ),
  },
  {
    name: "Identity",
    path: "/identity",
    group: "Selling",
    roles: SELLER,
    show: (session) => <Agents session={session} />,
  },
  {
    name: "Agents",
    path: "/agents",
    group: "Buying",
    roles: BUYER,
    show: (session) => <Agents session={session} />,
  },
  {
    name: "Installs",
    path: "/installs",
    group: "Buying",
    roles: BUYER,
    show: (session, id) =>
      id === undefined ? <Installs /> : <InstallPage key={id} id={id} session={session} />,
  },
  {
    name: "Subscriptions",
    path: "/subscriptions",
    group: "Recurring",
    roles: BOTH,
    show: () => <Subscriptions />,
  },
  {
    name: "Invoices",
    path: "/invoices",
    group: "Recurring",
    roles: BOTH,
    show: (session) => <Invoices session={session} />,
  },
  {
    name: "Webhooks",
    path: "/webhooks",
    group: "Developers",
    roles: BOTH,
    show: () => <Endpoints />,
  },
  {
    name: "Deliveries",
    path: "/deliveries",
    group: "Developers",
    roles: BOTH,
    show: (_session, id) => (id === undefined ? <Deliveries /> : <Delivery key={id} id={id} />),
  },
  {
    name: "API keys",
    path: "/keys",
    group: "Developers",
    roles: BOTH,
    show: (session) => <Keys session={session} />,
  },
  {
    name: "Consent",
    path: "/authorize",
    group: "Developers",
    roles: BOTH,
    isUnlisted: true,
    show: () => <Authorize />,
  },
  ...OPERATOR_SECTIONS,
  ...SANDBOX_SECTIONS,
]

/** Returns the sections for the signed-in account, by group. */
export const sectionsOf = ({ mode, role }: Session): ReadonlyArray<Section> =>
  SECTIONS.filter((section) => section.roles.includes(role) && (section.mode ?? mode) === mode)
