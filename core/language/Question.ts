import { speechOf } from "./grammar/Readback.ts"

/**
 * What a request can lack: a field, a person's confirmation, or a wording of which every word is
 * understood.
 */
export const MISSING = [
  "intent",
  "amount",
  "currency",
  "service_id",
  "plan_id",
  "payment_intent",
  "image",
  "confirmation",
  "wording",
] as const
/** One of {@link MISSING}. */
export type Missing = (typeof MISSING)[number]

const listed = (names: ReadonlyArray<string>): string =>
  names
    .slice(0, 3)
    .map((name) => JSON.stringify(name.slice(0, 64)))
    .join(", ")

type Ask = (choices: ReadonlyArray<string>) => string

const ENGLISH: { readonly [M in Missing]: Ask } = {
  intent: () =>
    "What do you want to do: pay, subscribe, see invoices, refund, void a payment or scan a QR " +
    "code?",
  amount: () => "How much is it to be? The text names no amount that can be paid.",
  currency: () => "In which currency is the amount?",
  service_id: (choices) =>
    choices.length === 0
      ? "Which service do you mean? None of that name was found."
      : `Which service do you mean: ${listed(choices)}?`,
  plan_id: (choices) =>
    choices.length === 0
      ? "Which plan do you want? The service has none that fits."
      : `Which plan do you want: ${listed(choices)}?`,
  payment_intent: () => "Which payment is it about? Give its id, which begins with pi_.",
  image: () => "Send the image of the QR code to POST /v1/ai/scan-qr.",
  confirmation: () =>
    "The text tries to change the rules that payments are made under, so nothing was done. " +
    "Whoever wants the payment can send it without that.",
  wording: (unread) =>
    unread.length === 0
      ? "I am not sure that I understand this completely, so nothing was done. Please say it in " +
        "other words, with names in quotation marks."
      : `I do not understand ${listed(unread)}, so nothing was done. I do one thing, now, for ` +
        "the caller's own account. Please say it without that, with names in quotation marks.",
}

const CHINESE: { readonly [M in Missing]: Ask } = {
  intent: () => "您想做什么：付款、订阅、查账单、退款、取消付款，还是扫二维码？",
  amount: () => "金额是多少？文本中没有可支付的金额。",
  currency: () => "金额是什么货币？",
  service_id: (choices) =>
    choices.length === 0
      ? "您指的是哪个服务？没有找到这个名称。"
      : `您指的是哪个服务：${listed(choices)}？`,
  plan_id: (choices) =>
    choices.length === 0
      ? "您要哪个套餐？该服务没有符合的套餐。"
      : `您要哪个套餐：${listed(choices)}？`,
  payment_intent: () => "是哪一笔付款？请给出以 pi_ 开头的编号。",
  image: () => "请把二维码图片发送到 POST /v1/ai/scan-qr。",
  confirmation: () =>
    "文本试图改变支付规则，因此没有执行任何操作。如需付款，请去掉这些内容后再发送。",
  wording: (unread) =>
    unread.length === 0
      ? "我不确定是否完全理解，因此没有执行任何操作。请换个说法，并给名称加上引号。"
      : `我没有理解 ${listed(unread)}，因此没有执行任何操作。我一次只立即办理一件本账户的事。` +
        "请去掉这些内容，并给名称加上引号。",
}

const QUESTIONS = { english: ENGLISH, chinese: CHINESE } as const

/** Returns one question about the first thing that is missing, in the text's language. */
export const questionFor = (
  query: string,
  missing: Missing,
  choices: ReadonlyArray<string>,
): string => QUESTIONS[speechOf(query)][missing](choices)
