import type { Invoice } from "../../invoices/Invoice.ts"
import type { Interval } from "../../shared/Period.ts"
import { amountAt } from "./AmountText.ts"
import { hasUnclearPoint } from "./DigitText.ts"
import { hasRaised } from "./Normal.ts"
import type { Said } from "./Order.ts"
import { isNumeral } from "./NumberText.ts"
import { phrasesOf } from "./Phrases.ts"
import { hanPlanIn, TIERS } from "./PlanText.ts"
import { canBegin, canEnd, changesAmount, namesNobody, reservedAt } from "./Reserved.ts"
import type { Token } from "./Tokens.ts"

/** A text in the form in which it is read. */
export interface Source {
  /** The normalized text; see `readable`. */
  readonly text: string
  readonly tokens: ReadonlyArray<Token>
  /** The tokens' texts. */
  readonly words: ReadonlyArray<string>
  /** All ISO 4217 codes. */
  readonly codes: ReadonlySet<string>
}

/** The values of a slot, and the index of the token behind it. */
export interface Filled {
  readonly end: number
  readonly said: Said
}

type Slot = (source: Source, at: number) => ReadonlyArray<Filled>

const NONE: ReadonlyArray<Filled> = []

/** The most tokens of a name and of a reason; a Han character is one token. */
const MOST_NAMED = 24
const MOST_REASON = 100
const MOST_REASON_CHARACTERS = 200

const sliceOf = ({ text, tokens }: Source, at: number, end: number): string =>
  text.slice(tokens[at]?.start, tokens[end - 1]?.end)

const quoted = ({ text, tokens }: Source, at: number): string | undefined => {
  const token = tokens[at]
  if (token?.kind !== "quoted") return undefined
  return text.slice(token.start + 1, token.end - 1).trim()
}

/** Tells whether a mark joins two words of a name, as in `Booking.com` and `Salt & Pepper`. */
const joins = ({ tokens }: Source, at: number): boolean => {
  const [before, mark, after] = [tokens[at - 1], tokens[at], tokens[at + 1]]
  if (mark?.kind !== "mark" || before === undefined || after === undefined) return false
  const isTight = before.end === mark.start && mark.end === after.start
  return mark.text === "&" || (isTight && /[.+-]/.test(mark.text))
}

const isNamed = (source: Source, at: number, first: number): boolean => {
  const token = source.tokens[at]
  if (token === undefined || reservedAt(source.words, at) > 0) return false
  if (token.kind === "han") return true
  if (token.kind === "word") return at > first || canBegin(token.text)
  if (token.kind === "number") return at > first && source.tokens[at - 1]?.kind === "word"
  return at > first && joins(source, at)
}

/** Returns the possible ends of a run of tokens, the shortest first. */
const runs = (
  first: number,
  most: number,
  fits: (at: number) => boolean,
): ReadonlyArray<number> => {
  const ends: Array<number> = []
  for (let at = first; at < first + most && fits(at); at += 1) ends.push(at + 1)
  return ends
}

/** `HBO Max` is a name, but not before an amount, and `Max` alone is none. */
const isChange = ({ codes, text, tokens, words }: Source, at: number, end: number): boolean => {
  if (namesNobody(words.slice(at, end))) return true
  const behind = changesAmount(words[end - 1] ?? "") ? tokens[end] : undefined
  return (behind && amountAt(text, behind.start, codes)) !== undefined
}

const name: Slot = (source, at) => {
  const inside = quoted(source, at)
  if (inside !== undefined) return [{ end: at + 1, said: { service: inside } }]
  const { tokens, words } = source
  if (tokens[at]?.kind === "id" && words[at]?.startsWith("pi_") === false) {
    return [{ end: at + 1, said: { service_id: words[at] ?? "" } }]
  }
  return runs(at, MOST_NAMED, (next) => isNamed(source, next, at))
    .filter((end) => tokens[end - 1]?.kind !== "mark" && canEnd(words[end - 1] ?? ""))
    .filter((end) => !isChange(source, at, end))
    .map((end) => ({ end, said: { service: sliceOf(source, at, end) } }))
}

/** A plan with an uncommon name; the words behind it say that it is a plan. */
const anyplan: Slot = (source, at) => {
  const inside = quoted(source, at)
  if (inside !== undefined) return [{ end: at + 1, said: { plan: inside } }]
  const [word = ""] = source.words.slice(at, at + 1)
  if (!canBegin(word) || !canEnd(word)) return NONE
  const isWord = (next: number) => source.tokens[next]?.kind === "word"
  return runs(at, 4, (next) => isWord(next) && isNamed(source, next, at)).map((end) => ({
    end,
    said: { plan: sliceOf(source, at, end).toLowerCase() },
  }))
}

const HAN_PLAN = /^(?:\p{Script=Han}{2}版|专业|基础|基本|标准|高级|企业|团队|个人|家庭)$/u

const plan: Slot = (source, at) => {
  const { tokens, words } = source
  const inside = quoted(source, at)
  if (inside !== undefined) return [{ end: at + 1, said: { plan: inside } }]
  const word = words[at] ?? ""
  if (tokens[at]?.kind === "word") {
    const isPlan = TIERS.has(word) || /[_\d]/.test(word)
    return isPlan ? [{ end: at + 1, said: { plan: word } }] : NONE
  }
  return [3, 2]
    .map((length) => ({ end: at + length, said: words.slice(at, at + length).join("") }))
    .filter(({ said }) => HAN_PLAN.test(said))
    .slice(0, 1)
    .map(({ end, said }) => ({ end, said: { plan: hanPlanIn(said) ?? said } }))
}

const INTERVALS: { readonly [I in Interval]: string } = {
  daily: "daily,every day,each day,per day,a day,每天,每日,按天,按日,日付",
  weekly: "weekly,every week,each week,per week,a week,每周,按周,周付,包周",
  monthly: "monthly,every month,each month,per month,a month,每月,每个月,按月,月付,包月",
  quarterly:
    "quarterly,every quarter,each quarter,per quarter,a quarter,每季,每季度,按季,季付,包季",
  yearly: "yearly,annual,annually,every year,each year,per year,a year,每年,按年,年付,包年",
}

const STATUSES: { readonly [S in Invoice["status"]]?: string } = {
  open: "open,unpaid,outstanding,due,pending,未付,未付款,未支付,还没付,没付,待付,待支付,未结清,未缴",
  paid: "paid,settled,已付,已支付,已付款,已经付,已经支付,付清,已付清",
  void: "void,voided,作废,已作废",
  uncollectible: "uncollectible,written off,坏账,呆账",
}

/** Makes a slot that reads one of several phrases, each of which stands for a value. */
const listed = (
  lists: { readonly [value: string]: string },
  said: (value: string) => Said,
): Slot => {
  const phrases = phrasesOf(
    Object.entries(lists).flatMap(([value, list]) =>
      list.split(",").map((phrase) => [phrase, said(value)] as const),
    ),
  )
  return ({ words }, at) => phrases.at(words, at).map(({ end, value }) => ({ end, said: value }))
}

const OWING = {
  open: "what do i owe,how much do i owe,what do we owe,how much do we owe,欠",
}

/** `二十块` is not read as ten behind a name that ends with 二. */
const isInNumeral = (words: ReadonlyArray<string>, at: number): boolean =>
  isNumeral(words[at - 1] ?? "") && isNumeral(words[at] ?? "")

const amount = (
  source: Source,
  at: number,
): (Filled & { readonly hasCurrency: boolean }) | undefined => {
  const { codes, text, tokens } = source
  const first = tokens[at]
  const found = first === undefined ? undefined : amountAt(text, first.start, codes)
  if (first === undefined || found === undefined || isInNumeral(source.words, at)) return undefined
  const last = tokens.findIndex(({ end }, index) => index >= at && end >= found.end)
  const written = text.slice(found.start, found.end)
  if (last < 0 || tokens[last]?.end !== found.end) return undefined
  if (hasUnclearPoint(written, found)) return undefined
  const { currency, shared, value } = found
  const named = shared === undefined ? currency !== undefined && { currency } : { shared }
  return {
    end: last + 1,
    said: { amount: value, ...named },
    hasCurrency: currency !== undefined,
  }
}

const money: Slot = (source, at) => {
  const found = amount(source, at)
  return found?.hasCurrency === true ? [found] : NONE
}

const number: Slot = (source, at) => {
  const found = amount(source, at)
  return found?.hasCurrency === false ? [found] : NONE
}

const payment: Slot = ({ words }, at) =>
  words[at]?.startsWith("pi_") === true
    ? [{ end: at + 1, said: { payment_intent: words[at] ?? "" } }]
    : NONE

/** Words that a reason never contains: they begin another order, or take this one back. */
const ENDS_REASON: ReadonlySet<string> = new Set(
  (
    "if unless then but instead actually wait sorry scratch stop pay buy send refund void cancel " +
    "subscribe 如 若 再 但 算 等 付 买 订"
  ).split(" "),
)

const reason: Slot = (source, at) => {
  const ends = runs(at, MOST_REASON, (next) => {
    const token = source.tokens[next]
    if (token === undefined || ENDS_REASON.has(token.text)) return false
    const isText = token.kind !== "mark" || hasRaised(token.text) || joins(source, next)
    return token.kind !== "id" && isText
  })
  const end = ends.at(-1)
  const said = end === undefined ? "" : sliceOf(source, at, end)
  return end === undefined || said.length < 2 || said.length > MOST_REASON_CHARACTERS
    ? NONE
    : [{ end, said: { reason: said } }]
}

/** The `<slots>` of the rules. */
export const SLOTS: { readonly [name: string]: Slot } = {
  name,
  plan,
  anyplan,
  interval: listed(INTERVALS, (value) => ({ interval: value as Interval })),
  status: listed(STATUSES, (value) => ({ status: value as Invoice["status"] })),
  owing: listed(OWING, (value) => ({ status: value as Invoice["status"] })),
  money,
  number,
  payment,
  reason,
}
