/** The grammar of Chinese orders; see `rulesOf` for the notation. */
export const CHINESE = `
  ZhHello = 你好 | 您好 | 嗨 | 喂 | 早上好 | 下午好 | 晚上好
  ZhPlease = 请 | 请你 | 请您 | 麻烦 | 麻烦你 | 麻烦您 | 帮我 | 帮忙 | 帮我们 | 请帮我 | 麻烦帮我 | 请帮忙
    | 麻烦您帮我 | 给我 | 请为我 | 为我 | 请给我 | 请帮我们
  ZhWish = 我要 | 我想 | 我需要 | 我想要 | 我们要 | 我们想 | 我希望
  ZhNow = 现在 | 马上 | 立即 | 立刻 | 直接
  ZhGreeting = [ZhHello [, | ! | 。]]
  ZhStart = ZhGreeting [ZhPlease] [ZhWish] [ZhPlease] [ZhNow]
  ZhThanks = 谢谢 | 谢谢你 | 谢谢您 | 多谢 | 感谢 | thanks | 拜托了
  ZhEnd = [吧] [[,] ZhThanks] [。 | ! | .]
  ZhCan = 能帮我 | 可以帮我 | 能不能帮我 | 可不可以帮我 | 能否帮我 | 可否帮我 | 能请你 | 可以请你 | 能麻烦你
  ZhAsk = 吗 [?]

  ZhPayVerb = 付 | 支付 | 付款 | 转 | 转账 | 汇 | 汇款 | 打 | 打款 | 打钱 | 充值 | 缴 | 交 | 付一下 | 支付一下 | 缴费 | 交费 | 打赏
    | 转一下 | 捐 | 捐款
  ZhPayTo = 付给 | 支付给 | 转给 | 转账给 | 汇给 | 汇款给 | 打给 | 打款给 | 付款给 | 打赏 | 打赏给 | 捐给
  ZhBuy = 买 | 购买 | 下单 | 订购 | 买下
  ZhOne = 一份 | 一次 | 一个 | 一张 | 一单 | 1份 | 1次 | 1个
  ZhAmount = <money> | <number>
  ZhPaid = (给 | 向 | 为) <name> ZhPayVerb ZhAmount
    | 给 <name> <money>
    | ZhPayVerb ZhAmount [(给 | 到) <name>]
    | 打赏 <money> 给 <name>
    | (ZhPayTo | 付 | 支付) <name> ZhAmount
    | 把 <money> ZhPayTo <name>
    | ZhBuy [ZhOne] <name> [[,] <money>]
    | 花 <money> ZhBuy [ZhOne] <name>
    | (付一下 | 支付 | 付 | 结 | 缴 | 交) <name> 的 (费用 | 费 | 钱 | 款)
  ZhPay = ZhStart ZhPaid ZhEnd | ZhGreeting ZhCan ZhPaid ZhAsk

  ZhSubVerb = 订阅 | 开通 | 办理 | 订 | 订购 | 购买 | 买 | 加入 | subscribe | subscribe to
  ZhTier = 套餐 | 会员 | 计划 | 服务
  ZhBilling = <interval> [付费 | 付 | 支付 | 付款] | <interval> <money>
  ZhPlan = [<interval> [的]] <plan> [ZhTier] [[,] ZhBilling]
  ZhSubscribed = ZhSubVerb <name> [的] ZhPlan
    | (订阅 | 开通) <name> [[,] ZhBilling]
    | ZhSubVerb [<interval> [的]] <plan> [ZhTier]
  ZhSubscribe = ZhStart ZhSubscribed ZhEnd
    | ZhGreeting ZhCan ZhSubscribed ZhAsk [[,] ZhBilling] [。]

  ZhBill = 账单 | 帐单 | 发票
  ZhBills = [我 | 我的 | 我在] [<name> [的]] [所有 | 全部 | 所有的 | 全部的] [<status> [的]] [所有 | 全部] ZhBill
    | (所有 | 全部) [<status> [的]] ZhBill
  ZhShow = 查 | 查看 | 看 | 看看 | 查一下 | 看一下 | 查一查 | 列出 | 显示 | 查询 | 给我看看 | 给我看 | 列一下 | 找
  ZhQuery = ZhStart ZhShow ZhBills ZhEnd
    | ZhGreeting ZhBills ZhEnd
    | [我] (有哪些 | 有没有 | 还有哪些) [<name> [的]] <status> [的] ZhBill [吗] [?]
    | 我 [还] <owing> <name> (多少钱 | 多少) [?]
    | 我 [还] <owing> (多少钱 | 多少) [?]
    | ZhGreeting ZhCan ZhShow ZhBills ZhAsk

  ZhPayment = [付款 | 支付 | 交易 | 订单] [编号] [:] <payment> [这笔付款 | 这笔支付 | 这笔交易 | 这笔]
  ZhReason = [,] (因为 | 由于) <reason> | [,] (原因 | 理由 | 原因是 | 理由是) [:] <reason>
  ZhBackVerb = 退款 | 退还 | 退 | 退回
  ZhBacked = [全额] ZhBackVerb ZhPayment [[的] <money>]
    | ZhPayment [全额] 退款 [<money>]
    | 把 ZhPayment (退掉 | 退款 | 退了 | 全额退款)
    | 把 ZhPayment 退款 <money>
    | 把 ZhPayment 的钱 [全部 | 全额] (退回 | 退还 | 退回来)
    | (给 | 为 | 对) ZhPayment [全额] [办理 | 申请] 退款 [<money>]
    | ZhBackVerb <money> [,] ZhPayment
    | [申请] [全额] 退款 [<money>] [,] ZhPayment
  ZhRefund = ZhStart ZhBacked [ZhReason] ZhEnd | ZhGreeting ZhCan ZhBacked ZhAsk

  ZhVoidVerb = 取消 | 作废 | 撤销 | 撤回 | 终止 | 中止 | 取消掉 | 作废掉 | 撤销掉 | 取消一下 | 撤销一下 | 停止
  ZhVoided = ZhVoidVerb ZhPayment | 把 ZhPayment ZhVoidVerb
  ZhVoid = ZhStart ZhVoided ZhEnd | ZhGreeting ZhCan ZhVoided ZhAsk
`
