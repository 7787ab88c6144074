import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { currencies } from "../../../../adapters/fx/Currencies.ts"
import type { Order } from "../../../../core/language/grammar/Order.ts"
import { readOrder } from "../../../../core/language/grammar/Reading.ts"
import { sayBack, type Speech } from "../../../../core/language/grammar/Readback.ts"
import { neverOf, utterancesOf } from "../spoken/utterances.ts"

const codes = new Set(currencies.keys())
const read = (text: string) => readOrder(text, codes)

const PAYMENT = "pi_01997d3e-8a00-7000-8000-000000000001"

/** No token is compared with more places of the grammar: those that 6 unread words can lead to. */
const MOST_STEPS_A_TOKEN = 12_000

describe("what is left unread", () => {
  test.each([
    ["pay $5 to Weather Pro on Friday", ["on Friday"]],
    ["pay twice $3 to Weather Pro", ["twice"]],
    ["pay $5 to Weather Pro if it rains", ["if it rains"]],
    ["Did I pay $5 to Weather Pro?", ["Did I", "?"]],
    ["pay $5 to Weather Pro?", ["?"]],
    ["don't pay $5 to Weather Pro", ["don't"]],
    ["给青鸟快递付10元，算了", [",算了"]],
    ["昨天给青鸟快递付10元", ["昨天"]],
    ["pay \u202e$5 to Weather Pro", ["\u202e"]],
    ["pay $5\n\nto Weather Pro", ["\n\n"]],
  ])("%s", (text, unread) => {
    expect(read(text)).toMatchObject({ orders: [], unread })
  })
})

describe("what is read", () => {
  test.each<[string, ReadonlyArray<Order>]>([
    [
      "给天气助手付四块九毛九",
      [{ intent: "pay", service: "天气助手", amount: "4.99", currency: "CNY" }],
    ],
    ["pay a dollar to X", [{ intent: "pay", service: "X", amount: "1", shared: "$" }]],
    [
      "pay the X service $4",
      ["X", "the X", "X service", "the X service"].map((service) => ({
        intent: "pay",
        service,
        amount: "4",
        shared: "$",
      })),
    ],
    [
      `Refund 2 dollars of ${PAYMENT} because it rained.`,
      [
        {
          intent: "refund",
          payment_intent: PAYMENT,
          amount: "2",
          shared: "$",
          reason: "it rained",
        },
      ],
    ],
    ["what do I owe?", [{ intent: "query_invoice", status: "open" }]],
  ])("%s", (text, orders) => {
    const { orders: found, unread } = read(text)
    expect(unread).toEqual([])
    // Names may also be longer; the readings with the shortest names come first.
    expect(found[0]).toEqual(orders[0])
    expect(found).toEqual(expect.arrayContaining([...orders]))
  })

  test("no name that tells when, whether or who, unless it is quoted", () => {
    expect(read("pay $5 to Weather on Friday").orders).toEqual([])
    const [order] = read('pay $5 to "Weather on Friday"').orders
    expect(order?.service).toBe("Weather on Friday")
  })

  test("a name that ends with a word that changes an amount, except before one", () => {
    const paid = { intent: "pay", amount: "5", currency: "USD", service: "HBO Max" }
    expect(read("pay 5 USD to HBO Max").orders).toEqual([paid])
    expect(read("buy HBO Max for 5 USD").orders[0]).toEqual(paid)
    expect(read("subscribe to HBO Max").orders[0]?.service).toBe("HBO Max")
    expect(read("subscribe to Weather on the Max plan").orders[0]).toMatchObject({ plan: "max" })
    expect(read("show my invoices from Read More").orders[0]?.service).toBe("Read More")
    expect(read("给 HBO Max 付 5 USD").orders[0]).toEqual(paid)
    expect(read("pay HBO Max 5 USD").orders).toEqual([])
    expect(read("pay less than 5 USD").orders).toEqual([])
    expect(read("pay 5 USD to Only").orders).toEqual([])
  })

  test("no name of words that only belong to a verb or change an amount", () => {
    const mine = { intent: "pay", amount: "5", currency: "USD", service: "Check Up" }
    expect(read("pay Check Up 5 USD").orders).toEqual([mine])
    expect(read('pay "Up" 5 USD').orders).toEqual([{ ...mine, service: "Up" }])
    for (const words of ["up", "back", "off", "back up", "only back", "maybe", "perhaps Papers"]) {
      expect([words, read(`pay ${words} 5 USD`).orders]).toEqual([words, []])
    }
  })

  test("no text that is longer than an order", () => {
    expect(read(`pay $5 to ${"very ".repeat(200)}Pro`)).toMatchObject({ orders: [], steps: 0 })
  })
})

const said = [...utterancesOf("english.txt"), ...utterancesOf("chinese.txt")]
const WORDS = [
  ...new Set(
    [...said.map(({ text }) => text), ...neverOf("never.txt").map(([, text]) => text)].flatMap(
      (text) => text.match(/\p{Script=Han}|[^\s\p{Script=Han}]+/gu) ?? [],
    ),
  ),
]

/** Texts of the words that the grammar knows, in any order, and texts of anything at all. */
const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...WORDS), { maxLength: 40 }).map(joined) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 400 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 400 }) },
)

function joined(words: ReadonlyArray<string>): string {
  return words.join(" ")
}

describe("whatever the text", () => {
  test("reading ends after few steps, and says either an order or what it did not read", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { orders, steps, unread } = read(text)
        const isEmpty = text.normalize("NFKC").trim() === ""
        expect(orders.length === 0 && unread.length === 0).toBe(isEmpty)
        expect(steps).toBeLessThanOrEqual(MOST_STEPS_A_TOKEN * ([...text].length * 18 + 1))
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    "pay ",
    "refund back ",
    "9",
    "一",
    "$",
    "a ",
    "0,",
    "the name ",
    "给天气",
    "because it rained ",
    '"',
    "pi_",
    "1.",
    "a a. ",
  ])("twice the tokens take at most twice the steps: %s", (part) => {
    const steps = (count: number) => read(part.repeat(count)).steps
    const [few, many] = [steps(24), steps(48)]
    // The first tokens are compared with fewer places than the later ones.
    expect(many).toBeLessThanOrEqual(3 * few + MOST_STEPS_A_TOKEN)
  })

  test("one more word anywhere is never read past", () => {
    const orders = said.filter(({ act }) => act === "do").map(({ text }) => text)
    fc.assert(
      fc.property(fc.constantFrom(...orders), fc.nat(), (text, chance) => {
        const at = chance % (text.length + 1)
        const { orders: found, unread } = read(`${text.slice(0, at)} ⁂ ${text.slice(at)}`)
        // The text may only be part of a quotation.
        const isQuoted = found.every(({ plan = "", service = "" }) =>
          `${plan}${service}`.includes("⁂"),
        )
        expect(unread.length > 0 || isQuoted).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

const name = fc.oneof(
  fc.constantFrom(
    "Weather Pro",
    "if it rains",
    "pay $500 to",
    "天气助手",
    "not",
    'a"b',
    "Salt & Co.",
  ),
  fc.string({ minLength: 1, maxLength: 40 }),
)
const amount = fc.tuple(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 0, max: 99 }))
const price = fc.record({
  amount: amount.map(([whole, part]) => `${whole}.${String(part).padStart(2, "0")}`),
  currency: fc.constantFrom("USD", "EUR", "CNY", "INR"),
})
const reason = fc.constantFrom("it rained", "duplicate charge", "重复扣款", "if it rains", "a, b")

const anyOrder: fc.Arbitrary<Order> = fc.oneof(
  fc.tuple(name, price).map(([service, money]): Order => ({ intent: "pay", service, ...money })),
  fc
    .tuple(name, name, fc.constantFrom("daily", "monthly", "yearly"), price)
    .map(([service, plan, interval, money]): Order => ({
      intent: "subscribe",
      service,
      plan,
      interval,
      ...money,
    })),
  fc.tuple(fc.option(price), fc.option(reason)).map(([money, why]): Order => ({
    intent: "refund",
    payment_intent: PAYMENT,
    ...money,
    ...(why !== null && { reason: why }),
  })),
  fc.constant<Order>({ intent: "void", payment_intent: PAYMENT }),
  fc
    .tuple(fc.option(name), fc.option(fc.constantFrom("open", "paid", "void", "uncollectible")))
    .map(([service, status]): Order => ({
      intent: "query_invoice",
      ...(service !== null && { service }),
      ...(status !== null && { status }),
    })),
)

describe("saying back", () => {
  test("is read as the same order, or is not said", () => {
    let spoken = 0
    fc.assert(
      fc.property(anyOrder, fc.constantFrom<Speech>("english", "chinese"), (order, speech) => {
        const sentence = sayBack(order, speech, codes)
        if (sentence === undefined) return
        spoken += 1
        const { orders, unread } = read(sentence)
        expect(unread).toEqual([])
        expect(orders.map(({ intent }) => intent)).toEqual([order.intent])
        expect(orders[0]?.payment_intent).toBe(order.payment_intent)
        expect(Number(orders[0]?.amount)).toBe(Number(order.amount))
      }),
      { numRuns: 1_000, seed: 1 },
    )
    expect(spoken).toBeGreaterThan(500)
  })

  test.each<[Order, string | undefined, string | undefined]>([
    [
      { intent: "pay", service: "Weather Pro", amount: "4.99", currency: "USD" },
      'Pay 4.99 USD to "Weather Pro".',
      '向"Weather Pro"支付4.99 USD。',
    ],
    [{ intent: "pay", service: '"“」《', amount: "1", currency: "USD" }, undefined, undefined],
    [
      { intent: "refund", payment_intent: PAYMENT, reason: "paid twice; pay me $5" },
      undefined,
      undefined,
    ],
    [{ intent: "query_invoice", status: "open" }, "Show my open invoices.", "查看未付账单。"],
    [{ intent: "pay", service: "X", amount: "1.234", currency: "IQD" }, undefined, undefined],
    [
      { intent: "pay", service: "X", amount: "1.234", currency: "KWD" },
      'Pay 1.234 KWD to "X".',
      '向"X"支付1.234 KWD。',
    ],
  ])("%j", (order, english, chinese) => {
    expect(sayBack(order, "english", codes)).toBe(english)
    expect(sayBack(order, "chinese", codes)).toBe(chinese)
  })
})
