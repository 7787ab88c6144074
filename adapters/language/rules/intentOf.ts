import { pattern } from "../../../core/language/grammar/Pattern.ts"
import type { Intent } from "../../../core/language/Understanding.ts"

interface Rule {
  readonly intent: Exclude<Intent, "unknown">
  readonly regex: RegExp
  /** The confidence of a match, from 0 to 1. */
  readonly weight: number
}

/** A rule whose pattern follows as a text over several lines. */
const rule =
  (intent: Rule["intent"], weight: number, flags: string) =>
  (...text: Parameters<ReturnType<typeof pattern>>): Rule => ({
    intent,
    weight,
    regex: pattern(flags)(...text),
  })

/** Nouns for a payment that can be voided. */
const PAYMENT =
  "(?:payments?|charges?|transactions?|orders?|purchases?|checkouts?|intents?|transfers?|" +
  "authori[sz]ations?|holds?|pi_[\\w-]+)"

/** In order of precedence: a refund is also a payment. */
const RULES: ReadonlyArray<Rule> = [
  rule("refund", 0.97, "i")`
    \brefund(?:s|ed|ing)?\b|\bmoney[- ]back\b|\breimburs\w*|\bcharge ?back\b
  `,
  rule("refund", 0.92, "i")`
    \b(?:give|send|pay|get|want|return|hand)\b.{0,24}\bback\b(?!\s*(?:in|at|to work))
    |\breturn\b.{0,30}\b(?:money|payment|funds|cash|amount)\b|\bcredit\b.{0,40}\bback\b
    |\btake\b.{0,24}\bback\b|\bmake (?:the|my|our) customer whole\b|\breverse\b.{0,30}\b(?:payment
    |charge|transaction|pi_)
  `,
  rule("refund", 0.97, "u")`
    退款|退钱|退还|退回|退费|退给|退我|返还|退掉|退了|退吧|把.{0,60}退
    |退\s?[\d一二两三四五六七八九十百千万]|全额退|部分退|申请退
  `,
  rule("void", 0.95, "i")`
    \b(?:void|cancel|abort|call off|scrap|drop|stop|kill|annul|undo|revoke|withdraw|nullify
    |discard)\w*\b.{0,40}\b${PAYMENT}
  `,
  rule("void", 0.93, "i")`
    \b(?:void|cancel|abort|call off|scrap|drop|stop|kill|annul|undo|withdraw|nullify|discard
    |forget|never ?mind)\w*\b.{0,80}\bpi_|\bpi_[\w-]+.{0,80}\b(?:void|cancel|abort|call(?:ed)? off
    |scrap|drop|stop|kill|annul|withdraw|nullify|discard|not go through|never ?mind)\w*\b
  `,
  rule("void", 0.9, "i")`
    ^(?!.*\b(?:invoices?|bills?)\b).*\bvoid(?:ed|ing)?\b|\bcall (?:it|that|this
    |the whole thing) off\b
  `,
  rule("void", 0.95, "iu")`
    (?:取消|作废|撤销|撤回|终止|中止|停止|关闭|废除|别付|不付)了?.{0,16}(?:支付|付款|订单|交易
    |付费|款项|扣款|授权|pi_)|(?:支付|付款|订单|交易|授权|pi_[\w-]+).{0,10}(?:取消|作废|撤销|撤回
    |终止|关掉|不要了)
  `,
  rule("scan_qr", 0.95, "i")`
    \b(?:scan|read|decode|recogni[sz]e|parse|interpret|check|look at|what(?:'s| is
    | does))\b.{0,40}\b(?:qr|barcodes?|bar code|2d code)\b|\bqr(?:[ -]?code)?s?\b.{0,40}\b(?:scan
    |read|decode|say|mean|contain|recogni[sz]e|picture|photo|image|screenshot)\b
  `,
  rule("scan_qr", 0.85, "i")`
    \bscan\b.{0,30}\b(?:code|image|picture|photo|screenshot|this|it)\b|^\s*scan\b|\bqr\b
    |\b(?:photo|picture|image|screenshot|attached|sticker|camera)\b.{0,40}\bcodes?\b
    |\bcodes?\b.{0,40}\b(?:photo|picture|image|screenshot|attached|attachment|sticker|camera)\b
  `,
  rule("scan_qr", 0.95, "u")`
    扫码|扫一扫|扫一下|扫描|扫个|扫下|识别.{0,12}码|二维码|读.{0,6}码|解码|条码|收款码|码.{0,6}扫
    |扫.{0,8}码|[这那]个码|码图
  `,
  rule("query_invoice", 0.95, "i")`
    \b(?:show|list|see|view|get|give|find|fetch|display|check|what|which|how many|any|are there
    |do i|have i|look up|pull up|send me|tell me|open|unpaid|overdue|outstanding|paid|pending|past
    |latest|recent|my|all|void(?:ed)?)\b.{0,40}\b(?:invoices?|bills?|billing|statements?)\b
  `,
  rule("query_invoice", 0.85, "i")`
    \binvoices?\b|\bbills\b|\bbeing billed\b|\b(?:have|has|had|was|were|am|are) (?:I|we
    |my \w+) (?:been )?billed\b|\bbilling (?:history|records?)\b|\b(?:what|how much|do|does
    |anything) .{0,12}\bowe\b|\bow(?:e|ed|es|ing)\b|\boutstanding\b|\b(?:amount|balance) (?:due
    |owed|outstanding)\b
  `,
  rule(
    "query_invoice",
    0.95,
    "u",
  )`发票|账单|帐单|欠费|欠款|欠多少|欠了多少|缴费记录|结算单|对账单|应付`,
  rule("subscribe", 0.95, "i")`
    \bsubscri(?:be|bing|ption)\w*\b|\bsign (?:me|us|him|her|them|my \w+) up\b|\bsign up\b
    |\benrol\w*\b|\bregister (?:me|us|my \w+|our \w+)?\s*(?:in|for|on|with)\b
    |\bbecome a (?:\w+ )?member\b|\bjoin\b(?! (?:me|us|in)\b)|\bput (?:me|us) (?:on|down)\b
  `,
  rule("subscribe", 0.88, "i")`
    \b(?:start|join|get|take|activate|switch|upgrade|move|want|need|choose|pick|buy|order
    |put)\b.{0,50}\b(?:plan|membership|tier|package)\b|\b(?:monthly|yearly|annual|weekly|daily
    |quarterly)\s+(?:plan|membership|package)\b
  `,
  rule("subscribe", 0.95, "u")`
    订阅|订购.{0,10}(?:套餐|服务|版)|包月|包年|包季|包周|开通|续订|续费|办.{0,12}会员
    |加入.{0,8}(?:会员|计划|套餐)|升级.{0,8}(?:版|套餐|会员)|(?:要|买|选|换).{0,14}(?:套餐|会员
    |月付|年付|按月|按年)
  `,
  rule("subscribe", 0.8, "iu")`
    \b(?:plan|tier|membership|package)s?\b|\bmember of\b|\bon a (?:daily|weekly|monthly|quarterly
    |yearly) basis\b|\b(?:billed|paid|charged) (?:daily|weekly|monthly|quarterly|yearly
    |annually)\b|套餐|会员
  `,
  rule("pay", 0.93, "i")`
    \b(?:pay|paying|purchase|buy|buying|transfer|wire|check ?out|settle|donate|tip|remit)\b
    |\b(?:make|process|handle|do|complete|submit|initiate|send|start|create
    |set up)\b.{0,30}\bpayments?\b|\bpayment (?:of|for|to)\b
  `,
  rule("pay", 0.85, "i")`
    \b(?:send|charge|order|spend|top[- ]up|get me|give|deposit|cover|book|fund|put|use|grab
    |pick up|hand|shell out|cough up|fork over|hand over)\b
  `,
  rule("pay", 0.93, "u")`
    支付|付款|付钱|付费|付给|付一下|缴费|缴纳|交费|购买|转账|转给
    |转\s?[\d一二两三四五六七八九十百千万]|打款|汇款|充值|结账|买单|下单|打赏|捐
    |付\s?[\d一二两三四五六七八九十百千万￥¥$€£]|付
  `,
  rule(
    "pay",
    0.85,
    "u",
  )`买|给.{1,20}(?:转|打|发|交|送)|花\s?[\d一二两三四五六七八九十百千万]|来一[份个次]|要一[份个次]`,
]

/** Texts of a person who does not want the action. */
const NEGATED = pattern("iu")`
  \b(?:do not|don'?t|dont|never|please no|stop trying to|no need to|not going to|won'?t|shouldn'?t
  |should not|must not)\s+(?:\w+\s+){0,2}?(?:pay|buy|purchase|send|transfer|refund|void|cancel
  |subscribe|charge|scan|sign|order)\b|(?:不要|先?别|不用|不想|不必|无需|请勿|勿|先不)(?:再|给我
  |帮我|现在|了|[给向].{1,12}?)?\s*(?:付|支付|付款|退|退款|买|购买|转|转账|订阅|开通|取消|扫|充值|扣)
`

/** The end of a subscription, which is not an intent. */
const ENDS_SUBSCRIPTION = pattern("iu")`
  \b(?:don'?t|do not|no longer) want\b.{0,40}\b(?:any ?more|any longer|plan|subscription)\b|停掉
  .{0,16}(?:续费|订阅|会员|套餐)|
  \b(?:cancel|end|stop|terminate|quit|unsubscribe|pause)\w*\b.{0,30}\b(?:subscription|membership
  |plan|renewal)\b|\bunsubscribe\b|(?:取消|停止|关闭|退出|暂停).{0,8}(?:订阅|会员|套餐|续费
  |自动续)|退订
`

/** Questions about how things work, which request no action. */
const ASKS_HOW = pattern("iu")`
  ^\s*(?:should (?:i|we)|is it|are you|do you|does it|which (?:is|one|service
  |plan) (?:is )?(?:best|better|cheap)|what(?:'s| is) the (?:best|cheapest|difference|point|fee
  |limit)|how (?:do|does|can|would|long|is|are)|what (?:is|are) (?:a|an|the difference)|why
  |when (?:will|do|does|is)|who|where|can you explain|explain|tell me about
  |what does)\b(?!.{0,40}\bowe\b)(?!.{0,40}\bqr\b)|^\s*(?:什么是|为什么|怎么|如何|解释|介绍|请问怎
  |请问如何)|(?:多久|几天|多长时间|什么时候到|是什么意思|有什么区别|哪个好)
`

/** Questions about past events or limits, which another interface answers. */
const ASKS_STATE = pattern("iu")`
  ^\s*(?:did|has|have|had|was|were|is|are) (?:my|the|our|that|this|i|we|it)\b(?!.{0,40}\b(?:owe
  |invoices?|bills?|billed)\b)|\b(?:budget|spending limit)\b|(?:付|退|扣|到账)了(?:没有|没|吗)
  |(?:手续费|费率|预算|限额)
`

interface Judged {
  readonly intent: Intent
  readonly confidence: number
}

const UNKNOWN: Judged = { intent: "unknown", confidence: 0.9 }

/** Whether the text pays what another intent would only show: `pay the invoice`, `买二维码牌`. */
const paysInstead = (text: string, intent: Intent, namesMoney: boolean): boolean =>
  (intent === "query_invoice" &&
    namesMoney &&
    /\b(?:pay|send|settle|remit)\b|付|转/iu.test(text)) ||
  (intent === "query_invoice" &&
    pattern("iu")`
      \b(?:pay|settle|clear)\b(?!.{0,12}\b(?:history|records?)\b).{0,30}\b(?:invoices?|bills?)\b
      |(?<![已未没待还])(?:支付|付|缴|交|结清|付清)(?!的|过|了).{0,8}(?:账单|帐单|发票)
    `.test(text) &&
    !/\b(?:show|list|which|what|how many|do i have to|view|see)\b|哪些|列出|查|看/iu.test(text)) ||
  (intent === "scan_qr" &&
    /\b(?:create|make|generate|print|show me)\b.{0,20}\bqr\b|生成.{0,6}二维码/iu.test(text))

/** Returns the intent of the text and its confidence. `namesMoney`: whether it has an amount. */
export const intentOf = (text: string, namesMoney: boolean): Judged => {
  if (NEGATED.test(text) || ENDS_SUBSCRIPTION.test(text)) return UNKNOWN
  if (ASKS_HOW.test(text) && !/\bpi_/.test(text)) return UNKNOWN
  if (ASKS_STATE.test(text)) return UNKNOWN
  const found = RULES.filter(({ regex }) => regex.test(text))
  const first = found.find(({ intent }) => !paysInstead(text, intent, namesMoney))
  if (first === undefined) {
    // `5 dollars to Weather, please` needs no verb.
    if (found.length > 0) return { intent: "pay", confidence: 0.8 }
    return namesMoney && /\b(?:to|for|towards?|from)\b|给|付/iu.test(text)
      ? { intent: "pay", confidence: 0.75 }
      : { intent: "unknown", confidence: 0.6 }
  }
  const rivals = new Set(found.map(({ intent }) => intent))
  // Most other intents use words for paying, too. Only other patterns lower the confidence.
  rivals.delete("pay")
  const doubt = Math.max(0, rivals.size - 1) * 0.1
  return { intent: first.intent, confidence: Math.round((first.weight - doubt) * 100) / 100 }
}
