import { DAY, HOUR, type Timestamp } from "../../../core/shared/Timestamp.ts"
import type { ApiClient } from "./ApiClient.ts"
import type { Actor, RunContext } from "./RunContext.ts"

/** Deliveries are tried for five days at most, and statements compared for four. */
const SHORTEST = 6 * DAY
const LONGEST = 12 * DAY
const STEP = 6 * HOUR

const isOpen = async (client: ApiClient, who: Actor): Promise<boolean> => {
  for (const status of ["pending", "delivering"]) {
    const page = await client.get(who, `/v1/webhook-deliveries?status=${status}&limit=1`)
    const { data } = (page ?? { data: [] }) as { readonly data: ReadonlyArray<unknown> }
    if (data.length > 0) return true
  }
  return false
}

/** Moves the clock until every schedule has run out; returns the time that it is then. */
export const comeToRest = async (
  { time }: RunContext,
  client: ApiClient,
  accounts: ReadonlyArray<Actor>,
): Promise<Timestamp> => {
  const from = time.now()
  while (time.now() < from + SHORTEST) await time.sleep(STEP)
  while (time.now() < from + LONGEST) {
    const open = await Promise.all(accounts.map((who) => isOpen(client, who)))
    if (!open.includes(true)) break
    await time.sleep(STEP)
  }
  return time.now()
}
