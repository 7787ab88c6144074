import type { Texts } from "../shared/Language.ts"
import type { Phase } from "./Phase.ts"

/** The title of a phase, and the next step. */
interface Said {
  readonly title: string
  readonly text: string
}

interface WalletTexts {
  readonly wallet: string
  readonly tag: string
  readonly skip: string
  readonly other: { readonly label: string; readonly language: "en" | "zh" }
  readonly scan: {
    readonly title: string
    readonly lead: string
    readonly cardName: string
    readonly cardText: string
    readonly camera: string
    readonly stop: string
    readonly picture: string
    readonly aim: string
    readonly link: string
    readonly hint: string
    readonly open: string
    readonly unreadable: string
    readonly noCode: string
    readonly noCamera: string
  }
  readonly pay: {
    readonly title: string
    readonly asks: string
    readonly choose: string
    readonly chooseText: string
    readonly with: string
    readonly before: string
    readonly until: (time: string) => string
    /** The remaining time, where a script counts down; `*` stands for it. */
    readonly left: string
    readonly reference: string
    readonly approve: (amount: string) => string
    readonly reject: string
    readonly poor: string
    readonly page: string
    readonly again: string
    readonly progress: string
    readonly steps: { readonly [S in "asked" | "approved" | "taken" | "paid"]: string }
    readonly phases: { readonly [P in Exclude<Phase, "ask" | "choose">]: Said }
  }
  readonly mandate: {
    readonly title: string
    readonly asks: string
    readonly text: string
    readonly upTo: string
    readonly cap: string
    readonly periods: { readonly [P in "daily" | "weekly" | "monthly"]: string }
    readonly noCap: string
    readonly agent: string
    readonly allow: string
    readonly refuse: string
    readonly end: string
    readonly active: Said
    readonly revoked: Said
  }
}

/** The texts of the wallet. */
export const walletTexts: Texts<WalletTexts> = {
  en: {
    wallet: "Wallet",
    tag: "Sandbox · no real money",
    skip: "Skip to the content",
    other: { label: "中文", language: "zh" },
    scan: {
      title: "Scan to pay",
      lead: "Scan a payment's code, or open its link.",
      cardName: "Test wallet",
      cardText: "Pays in every channel and currency",
      camera: "Scan with the camera",
      stop: "Stop the camera",
      picture: "Choose a picture",
      aim: "Hold the code into the frame.",
      link: "Link of the code",
      hint: "Such as svc://pay/… or the address of a payment page.",
      open: "Open",
      unreadable: "This is no link of a payment here. Copy the whole link and try again.",
      noCode: "No code was found in the picture. Choose one that shows the whole code.",
      noCamera: "The camera cannot be used. Choose a picture, or paste the link.",
    },
    pay: {
      title: "Payment",
      asks: "asks you to pay",
      choose: "Choose how to pay",
      chooseText: "The payment can be made by any of these. Which of them is this wallet?",
      with: "Pay with",
      before: "Time",
      until: (time) => `until ${time} UTC`,
      left: "* left",
      reference: "Reference",
      approve: (amount) => `Pay ${amount}`,
      reject: "Reject",
      poor: "Not enough money",
      page: "Back to the payment's page",
      again: "Scan another code",
      progress: "Progress",
      steps: { asked: "Asked", approved: "Approved", taken: "Taken by the seller", paid: "Paid" },
      phases: {
        elsewhere: {
          title: "Being paid elsewhere",
          text: "Another wallet has scanned this payment. Nothing is taken from this one.",
        },
        approved: {
          title: "Approved",
          text: "The money is set aside. The seller takes it once it has delivered.",
        },
        paying: { title: "Almost done", text: "The money is on its way to the seller." },
        paid: { title: "Paid", text: "The seller has the money. There is nothing left to do." },
        rejected: {
          title: "Rejected",
          text: "You turned the payment down. Nothing was taken from your wallet.",
        },
        poor: {
          title: "Not enough money",
          text: "The wallet could not cover the amount. Nothing was taken; ask for a new code.",
        },
        failed: {
          title: "This did not work",
          text: "The payment failed and nothing stays taken. Ask the seller for a new code.",
        },
        expired: {
          title: "The time is over",
          text: "Nothing was taken. Ask the seller for a new code.",
        },
        cancelled: {
          title: "Cancelled",
          text: "The payment was called off. Whatever was set aside is released.",
        },
      },
    },
    mandate: {
      title: "Automatic payments",
      asks: "Allow automatic payments?",
      text: "An agent of yours would pay this service from your wallet without asking each time.",
      upTo: "Each payment up to",
      cap: "Altogether at most",
      periods: { daily: "a day", weekly: "a week", monthly: "a month" },
      noCap: "No limit",
      agent: "Agent",
      allow: "Allow",
      refuse: "Refuse",
      end: "End automatic payments",
      active: {
        title: "Automatic payments are on",
        text: "The agent pays within these limits. You can end this at any time.",
      },
      revoked: {
        title: "Automatic payments are off",
        text: "Nothing is paid without asking you. The agent gets a link for each payment.",
      },
    },
  },
  zh: {
    wallet: "钱包",
    tag: "沙盒 · 非真实资金",
    skip: "跳到正文",
    other: { label: "English", language: "en" },
    scan: {
      title: "扫码付款",
      lead: "扫描付款码，或打开其链接。",
      cardName: "测试钱包",
      cardText: "支持所有渠道和币种",
      camera: "用摄像头扫描",
      stop: "关闭摄像头",
      picture: "选择图片",
      aim: "请将二维码对准取景框。",
      link: "付款码链接",
      hint: "例如 svc://pay/… 或付款页面的网址。",
      open: "打开",
      unreadable: "这不是本站的付款链接。请复制完整链接后重试。",
      noCode: "图片中未找到二维码。请选择包含完整二维码的图片。",
      noCamera: "无法使用摄像头。请选择图片，或粘贴链接。",
    },
    pay: {
      title: "付款",
      asks: "请您付款",
      choose: "选择付款方式",
      chooseText: "此付款支持以下任一方式。本钱包是哪一种？",
      with: "付款方式",
      before: "时间",
      until: (time) => `截至 ${time} UTC`,
      left: "剩余 *",
      reference: "参考编号",
      approve: (amount) => `支付 ${amount}`,
      reject: "拒绝",
      poor: "余额不足",
      page: "返回付款页面",
      again: "扫描其他付款码",
      progress: "进度",
      steps: { asked: "请求付款", approved: "已授权", taken: "商家已收取", paid: "已付款" },
      phases: {
        elsewhere: { title: "正由其他钱包付款", text: "另一个钱包已扫描此付款。本钱包不会扣款。" },
        approved: { title: "已授权", text: "款项已预留。商家交付后将收取。" },
        paying: { title: "即将完成", text: "款项正在转给商家。" },
        paid: { title: "付款成功", text: "商家已收到款项，您无需再做任何操作。" },
        rejected: { title: "已拒绝", text: "您拒绝了此付款，钱包未被扣款。" },
        poor: { title: "余额不足", text: "钱包余额不足以支付，未扣款。请索取新的付款码。" },
        failed: {
          title: "付款未成功",
          text: "付款失败，不会扣留任何款项。请向商家索取新的付款码。",
        },
        expired: { title: "付款已超时", text: "未扣款。请向商家索取新的付款码。" },
        cancelled: { title: "付款已取消", text: "此付款已取消，预留的款项将会退回。" },
      },
    },
    mandate: {
      title: "自动付款",
      asks: "允许自动付款吗？",
      text: "您的智能体将从本钱包向此服务付款，无需每次询问。",
      upTo: "每笔最多",
      cap: "累计最多",
      periods: { daily: "每天", weekly: "每周", monthly: "每月" },
      noCap: "无限额",
      agent: "智能体",
      allow: "允许",
      refuse: "拒绝",
      end: "结束自动付款",
      active: { title: "自动付款已开启", text: "智能体将在以上限额内付款。您可以随时结束。" },
      revoked: { title: "自动付款已关闭", text: "未经询问不会付款。智能体每次付款都会收到链接。" },
    },
  },
}
