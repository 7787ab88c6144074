// Written independently of core/language on purpose: texts that name an amount clearly or not.

import { amountsIn } from "../../core/language/grammar/AmountText.ts"
import { readOrder } from "../../core/language/grammar/Reading.ts"
import {
  amountIsUnclear,
  commaNumber,
  groupsBehindName,
} from "../../core/language/UnclearAmount.ts"
import type { Entities } from "../../core/language/Understanding.ts"
import type { WordsJudged } from "../auditor/invariants/wordings.ts"
import type { Chance } from "../random/Chance.ts"
import { claims } from "./claimedWords.ts"

type Codes = ReadonlySet<string>
type Some<A> = readonly [A, ...ReadonlyArray<A>]

const ID = "019c166d-b939-7000-ab06-f812e9a84a5d"

/** Texts whose amount is clear, with what is kept of them. */
const CLEAR: Some<readonly [text: string, kept: Entities]> = [
  ["pay 12 EUR to Papers", { amount: "12", service: "Papers" }],
  ["pay $12.50 to Half Moon", { amount: "12.50", service: "Half Moon" }],
  ["pay 12 EUR to Studio 5%", { amount: "12", service: "Studio 5%" }],
  ["pay 12 EUR, that is 12 EUR, to Papers", { amount: "12", service: "Papers" }],
  [`refund pi_${ID}`, { payment_intent: `pi_${ID}` }],
  [`refund pi_${ID} because I paid 12 EUR twice`, { reason: "I paid 12 EUR twice" }],
  ["pay 6.125 KWD to Papers", { amount: "6.125", service: "Papers" }],
  ["pay six KWD to Papers", { amount: "6", service: "Papers" }],
  ["I was charged twice", {}],
  ["it was double-charged", {}],
  ["refund part of it: 5 EUR", { amount: "5" }],
  ["pay 半年 of it", {}],
  ["给“小报”付12元", { amount: "12", service: "小报" }],
]

/** Texts whose amount is not clear. */
const UNCLEAR: Some<readonly [text: string, kept: Entities]> = [
  ["pay 12 EUR or 15 EUR to Papers", { amount: "12", service: "Papers" }],
  ["pay 12 EUR to Papers", { service: "Papers" }],
  ["refund half of it", {}],
  ["refund 50% of it", { amount: "50" }],
  ["refund a third of it", {}],
  ["refund two-thirds of it", {}],
  ["refund everything except 5 EUR", { amount: "5" }],
  ["pay 5 EUR each to Papers", { amount: "5" }],
  ["pay up to 5 EUR", { amount: "5" }],
  ["pay at least 5 EUR", { amount: "5" }],
  ["pay less than 5 EUR", { amount: "5" }],
  ["pay 5 EUR twice", { amount: "5" }],
  ["pay double, 5 EUR", { amount: "5" }],
  ["refund part of it", {}],
  ["refund it partially", {}],
  ["退一半", {}],
  ["退三分之一", {}],
  ["退款部分", {}],
  ["最多付5元", { amount: "5" }],
  ["每人5元", { amount: "5" }],
  ["打八折", {}],
  ["pay -5 EUR", { amount: "5" }],
  ["pay $-5", { amount: "5" }],
  ["pay 1.5e3 EUR", { amount: "1500" }],
  ["pay 5 to 10 EUR", { amount: "10" }],
  ["pay 5-10 EUR", { amount: "10" }],
  ["pay 5 or 500 EUR", { amount: "500" }],
  ["付5到10元", { amount: "10" }],
  ["pay 0,500 EUR", { amount: "500" }],
  ["pay 100.000 KWD to Papers", { amount: "100", service: "Papers" }],
  ["pay six KWD fifty to Papers", { amount: "6", service: "Papers" }],
  ["pay 5⁹⁹ EUR to Papers", { amount: "5" }],
  ["pay 5½ EUR to Papers", { amount: "5" }],
  ["pay ⑤ EUR", {}],
]

const judge = (text: string, kept: Entities, isUnclear: boolean, codes: Codes): WordsJudged => ({
  what: `the amount of "${text}" is unclear`,
  expected: isUnclear,
  found: amountIsUnclear(text, amountsIn(text, codes), kept, codes),
})

/** Numbers of which a part may belong to a name, or a comma may be that of decimals. */
const numbers = (): ReadonlyArray<WordsJudged> =>
  (
    [
      ["pay Area 51 100 JPY", { service: "Area 51", amount: "100" }, "51 100", undefined],
      ["pay Area 51 100 JPY", { service: "Area", amount: "51100" }, "51 100", undefined],
      ["pay Area 51 000 JPY", { service: "Area", amount: "51000" }, undefined, undefined],
      ["pay Area 51 100 200 JPY", { service: "Area", amount: "51100200" }, "51 100 200", undefined],
      ["pay Area 1,234 KWD", { service: "Area", amount: "1234" }, undefined, "1,234"],
      ["pay Area 1,234.5 KWD", { service: "Area", amount: "1234.5" }, undefined, undefined],
      ["pay Area 1,234,567 KWD", { service: "Area", amount: "1234567" }, undefined, undefined],
      ["pay Area 51 100 JPY", { service: "Area" }, undefined, undefined],
      ["pay 51 100 JPY", { amount: "51100" }, undefined, undefined],
    ] as const
  ).flatMap(([text, said, groups, comma]) => [
    {
      what: `groups behind the name in "${text}"`,
      expected: groups,
      found: groupsBehindName(text, { intent: "pay", ...said }),
    },
    {
      what: `a comma in "${text}"`,
      expected: comma,
      found: commaNumber(text, { intent: "pay", ...said }),
    },
  ])

/** Texts that leave words over, and these words. */
const LEFT: ReadonlyArray<readonly [text: string, unread: ReadonlyArray<string>]> = [
  ["pay 12 EUR to Papers tomorrow", ["tomorrow"]],
  ["please, if it rains, void pi_" + ID, [", if it rains,"]],
  ["twice refund pi_" + ID, ["twice"]],
  ["twice refund pi_" + ID + " tomorrow", ["twice", "tomorrow"]],
  ["", []],
  [
    "what a lovely day it was in the park today with all of you",
    ["what a lovely day it was in the park today with "],
  ],
]

const leftOver = (codes: Codes): ReadonlyArray<WordsJudged> =>
  LEFT.map(([text, left]) => {
    const { orders, unread } = readOrder(text, codes)
    return {
      what: `what is left over of "${text}"`,
      expected: [left, 0],
      found: [unread, orders.length],
    }
  })

/** Judges some texts of which little may be assumed. */
export const unclearWords = (chance: Chance, codes: Codes): ReadonlyArray<WordsJudged> => [
  ...CLEAR.map(([text, kept]) => judge(text, kept, false, codes)),
  ...UNCLEAR.map(([text, kept]) => judge(text, kept, true, codes)),
  ...numbers(),
  ...leftOver(codes),
  ...claims(codes),
  ...Array.from({ length: 3 }, () => chance.int(2, 99)).map((n) =>
    judge(`pay ${n} EUR and ${n + 1} EUR to Papers`, { amount: String(n) }, true, codes),
  ),
]
