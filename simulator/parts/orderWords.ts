// Written independently of core/language on purpose: what people order, in their words.

import type { Chance } from "../random/Chance.ts"

/** A text, and the order that it gives; undefined if it gives none. */
export interface OrderText {
  readonly text: string
  readonly meant: { readonly [field: string]: unknown } | undefined
}

type Said = NonNullable<OrderText["meant"]>
type Phrase = readonly [words: string, said: Said]
type Some<A> = readonly [A, ...ReadonlyArray<A>]

/** Returns a list that has something in it. */
const some = <A>([first, ...others]: ReadonlyArray<A>): Some<A> => {
  if (first === undefined) throw new RangeError("There is nothing to choose from.")
  return [first, ...others]
}

const MONEY: Some<Phrase> = [
  ["12.50 EUR", { amount: "12.50", currency: "EUR" }],
  ["$7", { amount: "7", shared: "$" }],
  ["1,250 USD", { amount: "1250", currency: "USD" }],
  ["US$1,250,000.05", { amount: "1250000.05", currency: "USD" }],
  ["twelve euros", { amount: "12", currency: "EUR" }],
  ["two thousand and five yen", { amount: "2005", currency: "JPY" }],
  ["1.5k GBP", { amount: "1500", currency: "GBP" }],
  ["80 cents", { amount: "0.8", shared: "cent" }],
]

const YUAN: Some<Phrase> = [
  ["三块五", { amount: "3.5", currency: "CNY" }],
  ["12元", { amount: "12", currency: "CNY" }],
  ["一百二十块钱", { amount: "120", currency: "CNY" }],
  ["30美元", { amount: "30", currency: "USD" }],
  ["两毛", { amount: "0.2", currency: "CNY" }],
]

const ID = "019c166d-b939-7000-ab06-f812e9a84a5d"

const named = (service: string): Phrase => [service, { service }]

const NAMES: Some<Phrase> = [
  named("Papers"),
  named("Weather Reports 24"),
  named("Booking.com"),
  named("Salt & Pepper"),
  named("Check-Up"),
  named("Café Déjà"),
  named("Grüße"),
  ['"Papers on Friday"', { service: "Papers on Friday" }],
  ["“Nine to Five”", { service: "Nine to Five" }],
  ["《News》", { service: "News" }],
  ["「Maps」", { service: "Maps" }],
  ['" Blanks "', { service: "Blanks" }],
  [ID, { service_id: ID }],
]

const HAN_NAMES: Some<Phrase> = [
  named("天气通"),
  ["“翻译”", { service: "翻译" }],
  ["“小报 2”", { service: "小报 2" }],
  ["“Papers”", { service: "Papers" }],
]

const PAYMENT: Some<Phrase> = [
  [`pi_${ID}`, { payment_intent: `pi_${ID}` }],
  [`PI_${ID.toUpperCase()}`, { payment_intent: `pi_${ID}` }],
]

const every = (lists: { readonly [value: string]: string }, field: string) =>
  some(
    Object.entries(lists).flatMap(([value, list]) =>
      list.split(",").map((words): Phrase => [words, { [field]: value }]),
    ),
  )

const INTERVAL = every(
  {
    daily: "daily,every day,each day,per day,a day",
    weekly: "weekly,every week,each week,per week,a week",
    monthly: "monthly,every month,each month,per month,a month",
    quarterly: "quarterly,every quarter,each quarter,per quarter,a quarter",
    yearly: "yearly,annual,annually,every year,each year,per year,a year",
  },
  "interval",
)

const HAN_INTERVAL = every(
  {
    daily: "每天,每日,按天,按日,日付",
    weekly: "每周,按周,周付,包周",
    monthly: "每月,每个月,按月,月付,包月",
    quarterly: "每季,每季度,按季,季付,包季",
    yearly: "每年,按年,年付,包年",
  },
  "interval",
)

const STATUS = every(
  {
    open: "open,unpaid,outstanding,due,pending",
    paid: "paid,settled",
    void: "void,voided",
    uncollectible: "uncollectible,written off",
  },
  "status",
)

const HAN_STATUS = every(
  {
    open: "未付,未付款,未支付,还没付,没付,待付,待支付,未结清,未缴",
    paid: "已付,已支付,已付款,已经付,已经支付,付清,已付清",
    void: "作废,已作废",
    uncollectible: "坏账,呆账",
  },
  "status",
)

const TIERS =
  "free basic starter standard plus pro professional premium business team teams enterprise gold " +
  "silver bronze platinum advanced lite essential essentials growth unlimited student family " +
  "personal individual developer ultimate"

const PLAN = some<Phrase>([
  ...TIERS.split(" ").map((plan): Phrase => [plan, { plan }]),
  ["Pro", { plan: "pro" }],
  ["team_5", { plan: "team_5" }],
  ["v2", { plan: "v2" }],
  ['"Gold Plus"', { plan: "Gold Plus" }],
])

const HAN_PLAN: Some<Phrase> = [
  ["专业版", { plan: "pro" }],
  ["专业", { plan: "pro" }],
  ["基础版", { plan: "basic" }],
  ["基本", { plan: "basic" }],
  ["标准版", { plan: "standard" }],
  ["高级", { plan: "premium" }],
  ["企业版", { plan: "enterprise" }],
  ["团队", { plan: "team" }],
  ["个人版", { plan: "personal" }],
  ["家庭", { plan: "family" }],
  ["“金”", { plan: "金" }],
]

const REASON: Some<Phrase> = [
  ["it was the wrong one", { reason: "it was the wrong one" }],
  ["page 7 of it was empty", { reason: "page 7 of it was empty" }],
]

const SLOTS: { readonly [name: string]: Some<Phrase> } = {
  money: MONEY,
  yuan: YUAN,
  name: NAMES,
  hanname: HAN_NAMES,
  payment: PAYMENT,
  interval: INTERVAL,
  haninterval: HAN_INTERVAL,
  status: STATUS,
  hanstatus: HAN_STATUS,
  plan: PLAN,
  hanplan: HAN_PLAN,
  reason: REASON,
}

/** Sentences by what they order: `<slots>`, and `(one|another)` of some words. */
const SENTENCES: { readonly [intent: string]: Some<string> } = {
  pay: [
    "(|hi, |Good morning! |ok )(pay|send|transfer|wire|remit) <money> to <name>",
    "(|please |kindly )(pay|send|give|tip) <name> <money>(|.| please| now!|, thank you)",
    "(could you|can you|would you|will you please) pay <money> (to|for) <name>?",
    "I (want to|would like to|need to|'d like to) pay <name> <money>",
    "buy (|one |a )<name> for <money>",
    "make a payment of <money> to <name>",
    "make a payment to <name> of <money>",
    "spend <money> on <name>",
    "top up <name> with <money>",
    "charge me <money> for <name>",
    "would you mind paying <money> to <name>?",
    "<money> for <name>",
    "(|请|麻烦|帮我|你好，)给<hanname>(付|付款|转|转账|支付)<yuan>(|吧|，谢谢|。)",
    "(付给|转给|支付给)<hanname><yuan>",
    "把<yuan>(付给|转给)<hanname>",
    "(能帮我|可以帮我)给<hanname>付<yuan>吗？",
    "支付<yuan>给<hanname>",
  ],
  subscribe: [
    "subscribe to <name> on the <plan> (plan|tier|package)",
    "subscribe me to the <plan> plan of <name>(|, billed <interval>)",
    "sign (me|us) up for the <plan> (plan|membership) of <name>",
    "subscribe to <name>, billed <interval>",
    "join <name> on the <plan> plan, charged <interval>",
    "get me <name>'s <plan> plan",
    "I (want|'d like|need) the <interval> <plan> plan of <name>",
    "subscribe to <name> at <money> <interval>",
    "(请|帮我)?(订阅|开通)<hanname>的<hanplan>(套餐|会员)",
    "(订阅|开通)<hanname>的<haninterval>的<hanplan>套餐",
  ],
  query_invoice: [
    "(show|show me|list|get me|display|fetch|view) (|all |my |all my )<status> (invoices|bills)",
    "show me my (invoices|bills) (from|of|for|by) <name>",
    "which (invoices|bills) are <status>?",
    "do I have any <status> invoices?",
    "(could you|can you please) list all <status> bills from <name>?",
    "every <status> invoice of <name>",
    "(查看|查一下|列出|显示)(我的|)<hanstatus>的?账单",
    "查看<hanname>的<hanstatus>账单",
    "有没有<hanstatus>的发票？",
  ],
  refund: [
    "(refund|reimburse) (|payment |the payment |all of )<payment>",
    "refund <payment> (in full|fully|completely)",
    "(refund|return) <money> (of|from) <payment>(|, please)",
    "give <payment> back",
    "send back <money> of <payment>",
    "give <money> back from <payment>",
    "(issue|process|request) a (full |)refund (of|for) <payment>",
    "issue a refund of <money> for <payment>",
    "refund <payment> (because|since) <reason>",
    "I want a refund of <payment>, reason: <reason>",
    "(请|帮我|)(退款|全额退款|退还)<payment>",
    "把<payment>(退掉|全额退款)",
    "<payment>退款<yuan>",
    "退款<yuan>，<payment>",
  ],
  void: [
    "(void|cancel|abort|stop|withdraw|drop) (|the |my |this )(|pending |unpaid )payment <payment>",
    "call <payment> off",
    "(could you|can you) (please |)cancel (the order |)<payment>?",
    "(取消|作废|撤销|终止)(付款|订单|)<payment>",
    "把<payment>(取消|撤销掉)",
  ],
}

/** What no order may have: it changes what is ordered, or is none of its words. */
const SPOILS: Some<(text: string) => string> = [
  (text) => `${text} tomorrow`,
  (text) => `${text} if it rains`,
  (text) => `twice ${text}`,
  (text) => `${text} 明天`,
  (text) => `do not ${text}`,
  (text) => `${text} and wait`,
]

const INTENTS = some(Object.keys(SENTENCES))

/** Fills in a sentence. */
const filled = (sentence: string, chance: Chance): OrderText & { readonly meant: Said } => {
  let meant: Said = {}
  const chosen = sentence
    .replaceAll(/\(([^()]*)\)\?/g, (_, list: string) => chance.pick(["", ...list.split("|")]))
    .replaceAll(/\(([^()]*)\)/g, (_, list: string) => chance.pick(some(list.split("|"))))
    .replaceAll("的?", chance.hits(0.5) ? "的" : "")
  const text = chosen.replaceAll(/<([a-z]+)>/g, (_, slot: string) => {
    const [words, said] = chance.pick(SLOTS[slot] ?? NAMES)
    meant = { ...meant, ...said }
    return words
  })
  return { text, meant }
}

/** Draws a sentence that gives an order, or, sometimes, one that gives none. */
export const drawOrderText = (chance: Chance): OrderText => {
  const intent = chance.pick(INTENTS)
  const { meant, text } = filled(chance.pick(SENTENCES[intent] ?? [""]), chance)
  const mayBeSpoilt = meant["reason"] === undefined
  if (mayBeSpoilt && chance.hits(0.15)) return { text: chance.pick(SPOILS)(text), meant: undefined }
  return { text, meant: { intent, ...meant } }
}
