import type { Texts } from "./Language.ts"

/** The texts of refusals on any page. */
export const refusalTexts: Texts<{
  readonly [
    kind in "notFound" | "forbidden" | "tooMany" | "tooManyMade" | "unavailable" | "wrong"
  ]: {
    readonly title: string
    readonly text: string
  }
}> = {
  en: {
    notFound: {
      title: "There is nothing here",
      text: "The link is not complete, or what it led to is no longer there.",
    },
    forbidden: {
      title: "This form came from elsewhere",
      text: "Nothing was done. Open the page anew and send it from there.",
    },
    tooMany: {
      title: "Too many requests",
      text: "Nothing was done. Wait a moment, then try again.",
    },
    tooManyMade: {
      title: "One moment, please",
      text: "Nothing was paid. Your network has begun many payments. Try again in some seconds.",
    },
    unavailable: {
      title: "Not available right now",
      text: "Nothing is lost. Load the page again in a moment.",
    },
    wrong: {
      title: "This did not work",
      text: "Go back, look at what was entered, and try again.",
    },
  },
  zh: {
    notFound: { title: "这里没有内容", text: "链接不完整，或其内容已不存在。" },
    forbidden: { title: "此表单来自其他网站", text: "未执行任何操作。请重新打开页面后再提交。" },
    tooMany: { title: "请求过多", text: "未执行任何操作。请稍候再试。" },
    tooManyMade: {
      title: "请稍候",
      text: "未发生付款。您的网络刚刚发起了较多付款，请几秒后再试。",
    },
    unavailable: { title: "暂时无法使用", text: "没有任何损失。请稍候重新加载页面。" },
    wrong: { title: "操作未成功", text: "请返回检查填写的内容后再试。" },
  },
}

/** The label of the link for another try. */
export const againTexts: Texts<string> = { en: "Try again", zh: "重试" }
