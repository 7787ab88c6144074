import type { HostedPayment } from "../../../core/hosted/HostedPayment.ts"
import type { Texts } from "../shared/Language.ts"

/** The outcome of a payment, for its payer. */
interface Outcome {
  readonly title: string
  readonly text: string
}

type Ending =
  | "scanning"
  | "authorized"
  | "captured"
  | "paid"
  | "expired"
  | "cancelled"
  | "PAYMENT_REJECTED"
  | "INSUFFICIENT_BALANCE"
  | "QR_GENERATION_FAILED"
  | "SETTLEMENT_FAILED"
  | "failed"

/** The texts beside a demo's payment: what happens behind the page. */
interface DemoTexts {
  readonly next: string
  readonly nextText: string
  readonly deliver: string
  readonly done: string
  readonly story: ReadonlyArray<string>
  readonly seller: string
  readonly sellerText: string
  readonly own: string
}

interface PaymentTexts {
  readonly pay: string
  readonly to: string
  readonly skip: string
  readonly scanWith: (channel: string) => string
  readonly code: (channel: string) => string
  readonly open: (channel: string) => string
  readonly copy: string
  readonly copied: string
  readonly choose: string
  readonly chooseText: string
  readonly choice: (channel: string) => string
  /** The texts before and after the remaining time. */
  readonly left: readonly [before: string, behind: string]
  readonly until: (time: string) => string
  readonly preparing: string
  readonly again: (service: string) => string
  /** The same for a payer who has scanned a printed code. */
  readonly scanAgain: string
  readonly close: string
  readonly back: (host: string) => string
  readonly reference: string
  readonly refunded: (amount: string) => string
  readonly sandbox: string
  readonly sandboxText: string
  readonly wallet: string
  readonly outcomes: { readonly [E in Ending]: Outcome }
  readonly pick: string
  readonly other: string
  readonly otherIn: (currency: string) => string
  /** The amounts that a seller accepts, in its reader's notation. */
  readonly typeOne: (minimum: string, maximum: string, example: string) => string
  readonly continue: string
  readonly payNow: (amount: string) => string
  readonly making: string
  readonly notNow: string
  readonly scanToPay: string
  readonly scanHow: string
  readonly print: string
  /** The texts of a code with too many open payments. `minutes` are those until it works again. */
  readonly busy: {
    readonly title: string
    readonly text: (service: string) => string
    readonly wait: (minutes: number) => string
    readonly again: string
  }
  readonly paused: { readonly title: string; readonly text: string }
  readonly demo: DemoTexts
}

/** The texts of the payment page and of printed codes. */
export const paymentTexts: Texts<PaymentTexts> = {
  en: {
    pay: "Pay",
    to: "Seller",
    skip: "Skip to the payment",
    scanWith: (channel) => `Scan with ${channel}`,
    code: (channel) => `QR code to pay with ${channel}`,
    open: (channel) => `Open ${channel}`,
    copy: "Copy the link",
    copied: "Copied",
    choose: "How would you like to pay?",
    chooseText: "Once you choose, the others can no longer be used for this payment.",
    choice: (channel) => `Pay with ${channel}`,
    left: ["", " left to pay"],
    until: (time) => `To be paid by ${time} UTC`,
    preparing: "The code is being made. This takes a moment.",
    again: (service) => `This link cannot be used again. To pay, ask ${service} for a new one.`,
    scanAgain: "To pay, try again here, or scan the code once more.",
    close: "You can close this page.",
    back: (host) => `Back to ${host}`,
    reference: "Reference",
    refunded: (amount) => `${amount} of it has been refunded, or is on its way to you.`,
    sandbox: "Sandbox",
    sandboxText: "No real money moves here.",
    wallet: "Pay with the sandbox wallet",
    outcomes: {
      scanning: {
        title: "Confirm in your wallet",
        text: "Your wallet has the payment. Approve it there.",
      },
      authorized: {
        title: "Approved",
        text: "Your wallet has set the amount aside. It is taken once the seller delivers.",
      },
      captured: {
        title: "Paid",
        text: "The amount has been taken, and is on its way to the seller.",
      },
      paid: { title: "Paid", text: "The seller has been told." },
      expired: {
        title: "The time is over",
        text: "Nothing was paid. What your wallet may have set aside is released.",
      },
      cancelled: {
        title: "Cancelled",
        text: "Nothing was paid. What your wallet may have set aside is released.",
      },
      PAYMENT_REJECTED: { title: "You declined", text: "Nothing was paid." },
      INSUFFICIENT_BALANCE: {
        title: "Not enough in your wallet",
        text: "Nothing was paid. Top your wallet up before you try again.",
      },
      QR_GENERATION_FAILED: {
        title: "No code could be made",
        text: "The payment channel did not answer as it should. Nothing was paid.",
      },
      SETTLEMENT_FAILED: {
        title: "The payment did not go through",
        text: "The channel could not settle it. Your wallet shows whether the amount came back.",
      },
      failed: { title: "The payment did not go through", text: "Nothing was paid." },
    },
    pick: "What would you like to pay for?",
    other: "Another amount",
    otherIn: (currency) => `Amount in ${currency}`,
    typeOne: (minimum, maximum, example) => {
      const from = minimum === "" ? "" : ` of at least ${minimum}`
      const to = maximum === "" ? "" : `${minimum === "" ? " of" : " and"} at most ${maximum}`
      return `Enter an amount${from}${to}, such as ${example}.`
    },
    continue: "Continue",
    payNow: (amount) => `Pay ${amount}`,
    making: "You choose how to pay on the next page. Nothing is charged yet.",
    notNow: "This cannot be paid right now. Try again in a moment, or choose another price.",
    scanToPay: "Scan to pay",
    scanHow: "Point your phone's camera or your wallet at the code.",
    print: "Print",
    busy: {
      title: "Many people are paying here right now",
      text: (service) =>
        `Nothing was paid. The code of ${service} takes no more payments just now.`,
      wait: (minutes) =>
        minutes === 1
          ? "There is room again within a minute. Try again then, or scan the code once more."
          : `There is room again in ${minutes} minutes. Try again then, or scan the code again.`,
      again: "Try again",
    },
    paused: {
      title: "This service is paused",
      text: "Nothing was paid. Only the seller can resume it. Scan the code again then.",
    },
    demo: {
      next: "What comes next",
      nextText: "The seller's agent delivers, and takes the money. In this demo, you say when.",
      deliver: "Deliver, as the seller",
      done: "What has happened",
      story: [
        "An agent asked for the payment, and its link led you here.",
        "You approved it in your wallet, which set the amount aside.",
        "The seller delivered and took the money: once, whatever breaks.",
        "The seller's endpoint was told by a signed event, and the books balance.",
      ],
      seller: "See it as the seller",
      sellerText: "Sign in to the console with the key in the file demo-seller.key.",
      own: "Make your own payment",
    },
  },
  zh: {
    pay: "支付",
    to: "收款方",
    skip: "跳到付款内容",
    scanWith: (channel) => `使用 ${channel} 扫码`,
    code: (channel) => `${channel} 付款二维码`,
    open: (channel) => `打开 ${channel}`,
    copy: "复制链接",
    copied: "已复制",
    choose: "请选择付款方式",
    chooseText: "选定后，本次付款将不能再使用其他方式。",
    choice: (channel) => `使用 ${channel} 付款`,
    left: ["剩余付款时间 ", ""],
    until: (time) => `请在 ${time}（UTC）之前付款`,
    preparing: "正在生成二维码，请稍候。",
    again: (service) => `此链接不能再次使用。如需付款，请向 ${service} 索取新的链接。`,
    scanAgain: "如需付款，请在此重试，或重新扫码。",
    close: "您可以关闭此页面。",
    back: (host) => `返回 ${host}`,
    reference: "参考编号",
    refunded: (amount) => `其中 ${amount} 已退款，或正在退回。`,
    sandbox: "沙盒",
    sandboxText: "此处不会产生真实资金流动。",
    wallet: "使用沙盒钱包付款",
    outcomes: {
      scanning: { title: "请在钱包中确认", text: "钱包已收到付款请求，请在钱包中确认。" },
      authorized: { title: "已授权", text: "钱包已预留该金额，商家交付后才会扣款。" },
      captured: { title: "已付款", text: "款项已扣除，正在转给商家。" },
      paid: { title: "已付款", text: "已通知商家。" },
      expired: { title: "付款时间已过", text: "未发生付款。钱包预留的金额（如有）会释放。" },
      cancelled: { title: "已取消", text: "未发生付款。钱包预留的金额（如有）会释放。" },
      PAYMENT_REJECTED: { title: "您已拒绝付款", text: "未发生付款。" },
      INSUFFICIENT_BALANCE: { title: "钱包余额不足", text: "未发生付款。请先充值再试。" },
      QR_GENERATION_FAILED: { title: "无法生成二维码", text: "支付渠道未正常响应，未发生付款。" },
      SETTLEMENT_FAILED: {
        title: "付款未成功",
        text: "支付渠道未能完成结算。请在钱包中查看款项是否已退回。",
      },
      failed: { title: "付款未成功", text: "未发生付款。" },
    },
    pick: "请选择要支付的项目",
    other: "其他金额",
    otherIn: (currency) => `金额（${currency}）`,
    typeOne: (minimum, maximum, example) => {
      const from = minimum === "" ? "" : `，不低于 ${minimum}`
      const to = maximum === "" ? "" : `，不超过 ${maximum}`
      return `请输入金额${from}${to}，例如 ${example}。`
    },
    continue: "继续",
    payNow: (amount) => `支付 ${amount}`,
    making: "下一页选择付款方式，目前不会扣款。",
    notNow: "暂时无法付款。请稍候再试，或选择其他价格。",
    scanToPay: "扫码付款",
    scanHow: "请用手机相机或钱包对准二维码。",
    print: "打印",
    busy: {
      title: "当前付款人数较多",
      text: (service) => `未发生付款。${service} 的收款码暂时无法发起更多付款。`,
      wait: (minutes) => `约 ${minutes} 分钟后可继续付款，届时请重试或重新扫码。`,
      again: "重试",
    },
    paused: {
      title: "此服务已暂停",
      text: "未发生付款。只有商家可以恢复此服务，恢复后请重新扫码。",
    },
    demo: {
      next: "接下来",
      nextText: "商家的智能体交付后才会扣款。在此演示中，由您决定何时交付。",
      deliver: "以商家身份交付",
      done: "已完成的步骤",
      story: [
        "智能体发起了付款，并通过链接将您带到此页面。",
        "您在钱包中授权了付款，钱包预留了该金额。",
        "商家完成交付并扣款；无论发生什么故障，都只扣款一次。",
        "商家已收到带签名的事件通知，账目借贷平衡。",
      ],
      seller: "以商家身份查看",
      sellerText: "请使用 demo-seller.key 文件中的密钥登录控制台。",
      own: "发起您自己的付款",
    },
  },
}

const FAILURES = [
  "PAYMENT_REJECTED",
  "INSUFFICIENT_BALANCE",
  "QR_GENERATION_FAILED",
  "SETTLEMENT_FAILED",
] as const

/** Returns the texts of a payment's final state; undefined while it can be paid. */
export const endingOf = ({ failure_code, status }: HostedPayment): Ending | undefined => {
  switch (status) {
    case "pending":
    case "qr_generated":
      return undefined
    case "succeeded":
    case "completed":
      return "paid"
    case "voided":
      return "cancelled"
    case "failed":
      return FAILURES.find((code) => code === failure_code) ?? "failed"
    default:
      return status
  }
}
