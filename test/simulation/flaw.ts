import type { Channels } from "../../core/ports/Channels.ts"
import type { Commit, Write } from "../../core/ports/Store.ts"
import type { Alterations } from "../../simulator/Alterations.ts"
import type { Faults } from "../../simulator/faults/Faults.ts"
import type { Scenario } from "../../simulator/scenarios/Scenario.ts"

/** A deliberate flaw, and the invariants, one of which has to notice it. */
export interface Flaw {
  readonly name: string
  readonly noticed_by: ReadonlyArray<number>
  readonly alterations: Alterations
  /** The faults that the flaw needs to show, which a seed might not draw. */
  readonly faults?: Partial<Faults>
  /** A scenario in which it shows sooner than in a mixed one. */
  readonly scenario?: Scenario
  /** The parts in which it shows, if a world with all parts would take too long. */
  readonly parts?: ReadonlyArray<string>
}

type ChannelsService = Channels["Service"]

/** A store that stores changed commits. */
export const storing = (change: (commit: Commit) => Commit): Alterations => ({
  store: (store) => ({ ...store, commit: (commit) => store.commit(change(commit)) }),
})

/** Channels with changed calls. */
export const calling = (
  call: (
    inner: ChannelsService,
    ...args: Parameters<ChannelsService["call"]>
  ) => ReturnType<ChannelsService["call"]>,
): Alterations => ({
  channels: (inner) => ({ ...inner, call: (request) => call(inner, request) }),
})

/** A commit with other writes of payments. */
export const withIntents = (
  commit: Commit,
  change: (write: Extract<Write, { kind: "payment_intent" }>) => Write,
): Commit => ({
  ...commit,
  writes: commit.writes.map((write) => (write.kind === "payment_intent" ? change(write) : write)),
})

/** A store that loses a part of every commit. */
export const dropping = (
  part: "reply" | "guards" | "events" | "postings" | "fee_days" | "reservations",
): Alterations =>
  storing((commit) => {
    const { [part]: _dropped, ...rest } = commit
    return rest
  })
