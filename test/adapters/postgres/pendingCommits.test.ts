import { Effect, Exit } from "effect"
import { describe, expect, test } from "vitest"
import {
  LONGEST_LINE,
  PendingCommits,
  type Waiting,
} from "../../../adapters/postgres/commit/PendingCommits.ts"
import { prepareCommit } from "../../../adapters/postgres/commit/PreparedCommit.ts"
import { insert } from "../../../apps/payport/testing/store/probe.ts"
import { anIntent } from "../../support/records.ts"

/** A waiting commit whose caller has so many milliseconds left, with its answer. */
const waitingFor = (n: number, left = Infinity) => {
  const prepared = prepareCommit({ writes: [insert("payment_intent", anIntent({ n }))] })
  if ("type" in prepared) throw new Error("A new payment is no conflict")
  const answers: Array<unknown> = []
  const waiting: Waiting = {
    prepared,
    deadline: { left: () => left },
    resume: (answer) => answers.push(Exit.findErrorOption(Effect.runSyncExit(answer))),
  }
  return { waiting, answers }
}

const notStored = [{ _tag: "Some", value: { outcome: "not_stored" } }]

describe("the line of commits", () => {
  test("takes so many and refuses the next at once", () => {
    const line = new PendingCommits()
    for (let n = 1; n <= LONGEST_LINE; n++) line.add(waitingFor(n).waiting)
    const { answers, waiting } = waitingFor(LONGEST_LINE + 1)
    line.add(waiting)
    expect(answers).toMatchObject(notStored)
    expect(line.size).toBe(LONGEST_LINE)
  })

  test("sends nothing whose caller waits no more, and keeps nothing of who has gone", () => {
    const line = new PendingCommits()
    const [late, gone, here] = [waitingFor(1, -1), waitingFor(2), waitingFor(3)]
    for (const { waiting } of [late, gone, here]) line.add(waiting)
    line.remove(gone.waiting)
    expect(line.size).toBe(2)
    expect(line.take()).toEqual([here.waiting])
    expect(late.answers).toMatchObject(notStored)
    expect([...gone.answers, ...here.answers]).toEqual([])
    expect(line.size).toBe(0)
  })
})
