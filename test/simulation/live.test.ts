import { describe, expect, test } from "vitest"
import { drawScript } from "../../simulator/drawScript.ts"
import { type Card, moved, movesIn, newCard } from "../../simulator/live/Card.ts"
import {
  BEGINNING,
  type Command,
  commanded,
  happened,
  type Happening,
  waitBetween,
} from "../../simulator/live/Control.ts"
import { kindOf } from "../../simulator/live/Line.ts"
import { LiveWorld } from "../../simulator/live/LiveWorld.ts"
import { PaymentThreads } from "../../simulator/live/PaymentThreads.ts"
import { afterFrame, elapsed, NO_PULSE, withBeats } from "../../simulator/live/WorldState.ts"
import { simulate } from "../../simulator/perform.ts"

const id = (prefix: string, n: number) =>
  `${prefix}_019c166d-0000-7000-8000-${String(n).padStart(12, "0")}`
const pay = id("pi", 1)
const other = id("pi", 2)

describe("what a step of the trace becomes", () => {
  test.each([
    [`commit client insert payment_intent ${pay} 1 qr_generated, reply k false`, "payment"],
    [`commit worker replace delivery ${id("wd", 1)} 2 delivered`, "work"],
    [`claim ${pay}`, "work"],
    [`entry wallet_a hold ${pay} ${id("qr", 1)} null`, "money"],
    [`callback ${pay} AUTHORIZED null Success`, "message"],
    ["answer POST /v1/refunds null NOT_FOUND", "answer"],
    ["call key undefined GET /v1/services", "answer"],
    [`read ${pay} captured`, "read"],
    ["process 0.1 begins", "process"],
  ])("%s is of the kind %s", (what, kind) => expect(kindOf(what)).toBe(kind))

  test.each([
    [`commit client insert payment_intent ${pay} 1 qr_generated, reply k false`, ["qr_generated"]],
    [
      `commit worker replace payment_intent ${pay} 2 captured, event ${id("evt", 1)} x`,
      ["captured"],
    ],
    [`commit worker remove payment_intent ${pay} 9 expired`, []],
    [`answer GET / null 200{"note":"replace payment_intent ${pay} 1 captured"}`, []],
  ])("%s moves payments to %j", (what, statuses) =>
    expect(movesIn(what).map(({ status }) => status)).toEqual(statuses),
  )

  test("a card counts a state once, until there is another", () => {
    const states = ["pending", "pending", "completed"]
    const card = states.reduce<Card>((all, status, n) => moved(all, status, n), newCard(pay, "x"))
    expect(card.moves).toEqual([
      { status: "pending", at_ms: 0 },
      { status: "completed", at_ms: 2 },
    ])
  })

  test("what a payment's own steps name first belongs to it, and what several name to none", () => {
    const threads = new PaymentThreads()
    const [refund, event, delivery] = [id("ref", 1), id("evt", 1), id("wd", 1)]
    const table = [
      [
        `commit client replace payment_intent ${pay} 3 captured, insert refund ${refund} 1 p`,
        [pay],
      ],
      [
        `commit worker replace refund ${refund} 2 succeeded, event ${event} refund.succeeded`,
        [pay],
      ],
      [`commit worker replace event ${event} 2 , insert delivery ${delivery} 1 pending`, [pay]],
      [`claim ${delivery}`, [pay]],
      [`claim ${pay} ${other}`, [pay, other]],
      [`commit worker replace mandate ${id("mnd", 1)} 2 active`, []],
    ] as const
    for (const [what, payments] of table) expect(threads.follow(what), what).toEqual(payments)
    threads.follow(`claim ${pay} ${other} ${id("evt", 2)}`)
    expect([id("evt", 2), id("mnd", 1)].map((one) => threads.paymentOf(one))).toEqual([
      undefined,
      undefined,
    ])
  })
})

describe("whether a world goes on", () => {
  const step: Happening = { type: "step" }
  const lost: Happening = { type: "fault", fault: "callback_lost" }
  const cut: Happening = { type: "fault", fault: "link_cut" }
  const broken: Happening = { type: "violation" }
  const toFault = (fault: string | null): Command => ({ type: "run_to", what: "fault", fault })
  const to = (what: "violation" | "end"): Command => ({ type: "run_to", what, fault: null })

  test.each<[string, ReadonlyArray<Command>, ReadonlyArray<Happening>]>([
    ["plays past steps and faults", [], [broken]],
    ["stops at every step", [{ type: "step" }], [step, lost, cut, broken]],
    [
      "stops at faults where that is wanted",
      [{ type: "stops", at_faults: true }],
      [lost, cut, broken],
    ],
    ["goes to any fault", [toFault(null)], [lost, cut, broken]],
    ["goes to one fault past others", [toFault("link_cut")], [cut, broken]],
    ["goes to what is broken past all faults", [to("violation")], [broken]],
    ["goes to the end past everything", [{ type: "stops", at_faults: true }, to("end")], []],
    ["forgets where it was to go when it plays", [toFault(null), { type: "play" }], [broken]],
  ])("it %s", (_, commands, stops) => {
    const control = commands.reduce(commanded, BEGINNING)
    const at = [step, lost, cut, broken].filter((one) => !happened(control, one).plays)
    expect(at).toEqual(stops)
  })

  test("what has stopped goes on when it is told to, and forgets what it was to reach", () => {
    const stopped = happened(commanded(BEGINNING, toFault(null)), lost)
    expect(stopped).toEqual({ ...BEGINNING, plays: false })
    expect(commanded(stopped, { type: "play" })).toEqual(BEGINNING)
  })

  test.each<[string, ReadonlyArray<Command>, number, number]>([
    ["by its speed", [{ type: "speed", speed: 60 }], 6_000, 100],
    ["never long", [{ type: "speed", speed: 1 }], 86_400_000, 400],
    ["not at all at full speed", [{ type: "speed", speed: null }], 1_000, 0],
    ["not at all on its way to something", [toFault(null)], 1_000, 0],
    ["not for a clock that went back", [], -5_000, 0],
  ])("it waits %s", (_, commands, gap, wait) =>
    expect(waitBetween(commands.reduce(commanded, BEGINNING), 10_000, 10_000 + gap)).toBe(wait),
  )
})

test("a world that is watched is the same world, and is shown as it was", () => {
  const plain = simulate({ seed: 3, intents: 12 })
  const live = new LiveWorld(drawScript({ seed: 3, intents: 12 }))
  const faults: Array<string | null> = []
  const watched = simulate({
    seed: 3,
    intents: 12,
    onWorld: (world) => live.begin(world),
    onStep: (note) => live.step(note),
    onFault: (strike) => faults.push(live.fault(strike).payments[0] ?? null),
  })
  expect(watched).toEqual(plain)
  const { cards, checks, invariants, left_out, lines, ...whole } = live.frame(BEGINNING, true)
  const ended: Record<string, number> = {}
  for (const { status } of cards) ended[status] = (ended[status] ?? 0) + 1
  expect(ended).toEqual(plain.statuses)
  expect(whole.faults).toEqual(plain.faults)
  expect(checks).toEqual(plain.invariants.map((tally) => tally.checks))
  expect(invariants.length).toBe(checks.length)
  expect([left_out, lines.at(-1)?.n]).toEqual([0, whole.steps])
  const struck = faults.filter((payment) => cards.some((card) => card.id === payment))
  expect(struck.length).toBe(cards.reduce((sum, card) => sum + card.faults, 0))
  expect(struck.length).toBeGreaterThan(10)
  const [first] = cards
  const story = live.story(first?.id ?? "")
  expect(story?.lines.length).toBe(first?.lines)
  expect(story?.card.facts?.amount).toMatch(/^[\d.]+ [A-Z]{3}/)
  expect(live.story(id("pi", 9))).toBeUndefined()
})

describe("what a page knows of a world", () => {
  const beats = (steps: ReadonlyArray<number>) =>
    steps.reduce((pulse, step) => withBeats(pulse, step, { faults: 1, violations: 0 }), NO_PULSE)

  test("stretches hold what happened in them, and grow with the world", () => {
    const short = beats([3, 8, 9])
    expect(short).toEqual({
      width: 8,
      bins: [
        { steps: 8, faults: 2, violations: 0 },
        { steps: 1, faults: 1, violations: 0 },
      ],
    })
    const long = beats(Array.from({ length: 3_000 }, (_, n) => n + 1))
    expect([long.width, long.bins.length]).toEqual([32, 94])
    expect(long.bins.reduce((sum, { faults }) => sum + faults, 0)).toBe(3_000)
    expect(long.bins.slice(0, -1).every(({ steps }) => steps === 32)).toBe(true)
  })

  test("frames add up to what a whole one says, whoever comes late", () => {
    const live = new LiveWorld(drawScript({ seed: 3, intents: 3 }))
    let early = afterFrame(undefined, live.frame(BEGINNING, true))
    let late: typeof early | undefined
    let drawn = 0
    simulate({
      seed: 3,
      intents: 3,
      onWorld: (world) => live.begin(world),
      onStep: (note) => {
        const line = live.step(note)
        if (line === undefined || line.n < drawn + 50) return
        drawn = line.n
        // A late viewer gets everything, and then the contents of the next frame again.
        if (late === undefined && line.n >= 150)
          late = afterFrame(undefined, live.frame(BEGINNING, true))
        const frame = live.frame(BEGINNING)
        early = afterFrame(early, frame)
        if (late !== undefined) late = afterFrame(late, frame)
      },
      onFault: (strike) => live.fault(strike),
    })
    expect([...(late?.cards ?? [])]).toEqual([...early.cards])
    const numbers = late?.lines.map(({ n }) => n) ?? []
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
    expect(late?.lines.slice(-20)).toEqual(early.lines.slice(-20))
    expect(late?.invariants.length).toBe(early.frame.checks.length)
  })

  test.each([
    [0, "00:00:00.000"],
    [3_723_004, "01:02:03.004"],
    [2 * 86_400_000 + 1, "+2 d 00:00:00.001"],
  ])("%i ms are %s", (millis, text) => expect(elapsed(millis)).toBe(text))
})
