import { pattern } from "../../../core/language/grammar/Pattern.ts"
import type { Intent } from "../../../core/language/Understanding.ts"
import { oneOf } from "./words.ts"

const QUOTED = /["“”「『《]([^"“”「」『』《》]{1,128})["“”」』》]/u

/** Words that end a name. */
const STOP = oneOf(
  "with for using via by through because since as in on at from is are was were has have had",
  "will would should can could did marked now today tomorrow please pls thanks thank_you",
  "right_away asap immediately every each per monthly yearly weekly daily quarterly annually",
  "and then but that which if when so this_month this_year last next again for_me for_us instead",
)

/** Words that begin no name. Other words that end a name may begin one, as in `Daily Forecast`. */
const NO_FIRST = oneOf(
  "with for to of using via by through because since as in on at from and then any is are was",
  "were has our invoices? bills? but that which if when so please pay paying purchase buy send",
  "order get have be see start subscribe refund cancel me us spend make do use try go know check",
  "join take settle cover process complete transfer donate tip you it anyone whoever",
)

const END = String.raw`\b${STOP}\b|[,.;!?](?:\s|$)|\(|—`
const FIRST = String.raw`(?!${NO_FIRST}\b)[^\s,.;!?(—]+`
const NAME = String.raw`(${FIRST}(?:(?!${END})[^\n]){0,80})`

const cut = (name: string): string | undefined => {
  const trimmed = name
    .replace(/\s+(?:the|a|an|my|our|over|back|of)\s*$/i, "")
    .replace(/\bpi_[\w-]+/gi, " ")
    .replace(/^(?:the|my|our|your|a|an|this|that|some|one|me|us)\s+/i, "")
    .replace(
      pattern("i")`
        ^(?:(?:one|a|an|single|another)\s+)?(?:call|unit|copy|issue|session|ticket|report|run
        |month|year|use|credit|lesson|hour)s?\s+(?:of|to|from|with|at)\s+(?:the\s+)?(?=\S)
      `,
      "",
    )
    .replace(/^(?:one|single|another)\s+(?=\S)/i, "")
    .replace(/^(?:service|seller|merchant|provider|vendor|shop|store|agent)\s+(?=\S)/i, "")
    .replace(
      pattern("i")`
        \s+(?:service|subscription|plan|invoices?|bills?|payment|purchase|order|one|please|seller
        |merchant)$
      `,
      "",
    )
    .replace(/^(?:the|my|our|a|an)\s+/i, "")
    .replace(/[\s,.;:!?'"]+$/u, "")
    .replace(/['’]s$|\s+(?:people|folks|guys)$/iu, "")
    .trim()
  return trimmed === "" || !/[\p{L}\d]/u.test(trimmed) ? undefined : trimmed
}

/** Names without meaning: the rest of `pay it`, `refund the customer`. */
const NO_NAME = pattern("i")`
  ^(?:it|them|him|her|me|us|you|that|this|one|everything|all|something|anything|customer|payment
  |payments|order|purchase|transaction|charge|money|cash|invoice|invoices|bill|bills|subscription
  |service|plan|month|year|week|day|today|now|full|half|part|a refund|refund|account|bank|card|qr
  |qr code|code|image|picture|photo|paid|unpaid|open|due|again|us|total|amount|balance|which|every
  |each|any|list of every|pay|have to pay|the|free|sure|agreed|good|real|my|our|double|triple
  |quadruple|twice|exactly|only|just|nearly|almost|another|extra|additional|negative|over|under
  |around|about|max|maximum|min|minimum|more|less|maybe|perhaps|possibly|probably
  |back|up|down|out|off|away|forward|along)$
`

/** Whether the text's author writes names with capitals. */
const writesCapitals = (text: string): boolean =>
  /\p{Lu}/u.test(
    text
      .slice(1)
      .replace(/\b(?:I|I'[a-z]+|[A-Z]{2,})\b/g, "")
      .replace(/[.!?]\s+\p{Lu}/gu, ""),
  )

const named = (name: string | undefined, text: string): string | undefined => {
  const clean = name === undefined ? undefined : cut(name)
  if (clean === undefined || NO_NAME.test(clean)) return undefined
  return writesCapitals(text) && !/[\p{Lu}\d]|[^\p{Script=Latin}\s\p{P}]/u.test(clean)
    ? undefined
    : clean
}

const ENGLISH: { readonly [I in Intent]?: ReadonlyArray<RegExp> } = {
  pay: [
    pattern("giu")`\b(?:for|to|towards?|at)\s+(?:the\s+)?${NAME}`,
    pattern("giu")`
      \b(?:pay|buy|purchase|order|get me|tip|book|check ?out|settle|charge
      |top[- ]up)\s+(?:me\s+)?${NAME}
    `,
    pattern("giu")`\b(?:on|from|with)\s+${NAME}`,
  ],
  subscribe: [
    pattern("giu")`
      \b(?:subscrib\w*|sign\w*(?:\s+\w+){0,2}\s+up|enrol\w*(?:\s+\w+)?
      |subscription)\s+(?:\w+\s+)?(?:to|for|with|in|on)\s+${NAME}
    `,
    pattern("giu")`\b(?:of|for|from|with|to|on|at)\s+${NAME}`,
    pattern("giu")`\b(?:join|start|get|take|activate|want|need|buy|order)\s+${NAME}`,
  ],
  query_invoice: [
    pattern("giu")`
      \b(?:invoices?|bills?|billing|statements?|history|owe|owing)\b.{0,24}?\b(?:from|for|of|to|by
      |with)\s+${NAME}
    `,
    pattern("giu")`
      \b(?:which|my|the|all|unpaid|paid|open|overdue|outstanding|latest)\s+${NAME}?\s+(?:invoices?
      |bills?)\b
    `,
    pattern("giu")`
      \b(?:outstanding|due|owing|unpaid|owed|overdue|billed|charged|behind)\s+(?:with|to|at|for
      |from|by)\s+${NAME}
    `,
    pattern("giu")`\b(?:owe|owing|from|for|of|with|by)\s+${NAME}`,
  ],
}

const CHINESE: { readonly [I in Intent]?: ReadonlyArray<RegExp> } = {
  pay: [
    /(?:给|向|为|付给|支付给|转给|购买|买)\s*([A-Z][\w.'& -]{1,40}?)\s*(?:付|支付|转|打|汇|交|缴|充|捐|;|[，。,!？?]|$)/u,
    /(?:给|向|为|帮我给|替我给)\s*([^，。,!？?\s\d]{1,24}?)\s*(?:付|支付|转|打|汇|交|缴|充|捐|打赏|结)/u,
    pattern("u")`
      (?:付给|支付给|转给|打给|转账给|汇给|打赏给
      |捐给)\s*([^，。,!？?\s]{1,24}?)(?=[\d一二两三四五六七八九十百千万]|￥|¥|\$|€|£|$
      |[，。,!？?\s])
    `,
    /(?:付|转|打款|付款|支付).*[给到]\s*([^，。,!？?\s\d]{2,24}?)\s*(?:[，。,!？?\s]|$)/u,
    pattern("u")`
      (?:购买|买|下单|订|来一[份个次]|要一[份个次]|支付|付款|充值|结|付|缴纳
      |缴)(?:了)?(?:一[份个次]|个)?\s*([^，。,!？?\s\d]{2,24}?)(?:的?(?:服务|费用|费|款|账单
      |钱))?(?=[，。,!？?\s]|$)
    `,
  ],
  subscribe: [
    /(?:订阅|开通|续订|续费|加入|办理|订购|升级|包月|包年|购买|买|办)(?:一下|一个|了)?\s*([^，。,!？?\s]{2,24}?)的/u,
    /(?:开通|续费|加入|办理|办)(?:一下|一个|了)?\s*([^，。,!？?\s]{2,24}?)(?:月费|年费|包月|包年)?会员/u,
    pattern("u")`
      (?:订阅|开通|续订|续费|加入|办理|订购|升级|购买|买|办)(?:一下|一个
      |了)?\s*([^，。,!？?\s]{2,24}?)(?=[，。,!？?\s]|包月|包年|按月|按年|月付|年付|每月|每年|专业
      |基础|高级|标准|企业|免费|$)
    `,
  ],
  query_invoice: [
    /欠(?!费|款|账)\s*([^，。,!？?\s]{2,24}?)(?:多少|的|$)/u,
    pattern("u")`
      ^([^，。,!？?\s查看列显给我有把]{2,16}?)(?:的|已经)(?:未付|已付|未支付|已支付|待付|作废|逾期
      |全部|所有|已经付清|已付清)?(?:的)?(?:发票|账单|帐单)
    `,
    pattern("u")`
      (?:查|看|列出|显示|给我|查询|查看|我要|我在|我|把|找|有|所有|全部|未付|已付)?(?:一下|下
      |看)?\s*(?:我)?(?:在|的|欠)?\s*([^，。,!？?\s查看列显给我的]{2,24}?)(?:的|还)?(?:有没有|有无
      |有哪些|有多少|哪些|多少|有)?(?:已经|还没)?(?:全部|所有|未付|已付清|付清|已付|未支付|已支付
      |待付|作废|逾期|没付|还没付|欠|的)*(?:的)?(?:发票|账单|帐单)
    `,
  ],
}

const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text)

const NO_HAN_NAME = pattern("u")`
  ^(?:这|那|把|我|你|它|他|她|一下|一个|所有|全部|未付|已付|款|钱|账单|发票|帐单|订单|服务|这个
  |那个|这笔|那笔|费用|本月|上个月|这个月|今年|去年|最近|有?哪些|还有|没有|还没付|没付|还没|有没有
  |坏账|入门版|基础版|专业版|标准版|高级版|企业版|逾期|作废|支付|付款|未支付|已支付|待付|的)+$
`

/** Returns the name of the service in a text with this intent, as written. */
export const serviceName = (text: string, intent: Intent): string | undefined => {
  const quoted = QUOTED.exec(text)?.[1]
  if (quoted !== undefined) return quoted.trim()
  if (isHan(text)) {
    for (const regex of CHINESE[intent] ?? []) {
      const name = regex
        .exec(text)?.[1]
        ?.replace(/^(?:一下|一个|了|我的|在)/u, "")
        .replace(/(?:的|服务)$/u, "")
        .trim()
      if (name !== undefined && name !== "" && !NO_HAN_NAME.test(name)) return name
    }
  }
  for (const regex of ENGLISH[intent] ?? []) {
    const name = [...text.matchAll(regex)]
      .map((match) => named(match[1], text))
      .find((found) => found !== undefined)
    if (name !== undefined) return name
  }
  return undefined
}
