import type { Session } from "./session.ts"

/** Whether the signed-in account owes an invoice. A seller that buys owes some of those it sees. */
export const owes = (session: Session, { agent_id }: { readonly agent_id: string }): boolean =>
  session.role === "buyer" || (session.role === "seller" && session.account.agent_id === agent_id)
