import { pattern } from "./grammar/Pattern.ts"
/**
 * Patterns of texts, in English and in Chinese, that instruct the engine about its own rules
 * instead of asking for a payment. Payers have no reason to write such texts; prompt injections
 * contain them.
 */
const ORDERS: ReadonlyArray<RegExp> = [
  pattern("iu")`
    \b(?:ignor|disregard|forget|bypass|overrid|overrul|circumvent|skip|disabl|turn(?:ing)? off
    |switch(?:ing)? off|remov|lift)\w*\b.{0,40}\b(?:limit|cap|rule|instruction|polic|prompt
    |restriction|check|verification|kyc|approval|confirmation|guard|safety|filter|previous|above)
  `,
  pattern("iu")`
    \b(?:no|without(?: any)?)\s+(?:limits?|kyc|checks?|verification|approval|confirmation|asking)\b
  `,
  pattern("imu")`
    \b(?:system|developer|assistant)\s*(?:prompt|message|note|mode|override)\b|^\s*(?:system
    |developer|assistant|admin)\s*:
  `,
  pattern("iu")`
    \b(?:you are|act as|pretend (?:to be|that)|as (?:an? )?(?:admin|administrator|root|operator
    |developer))\b
  `,
  pattern("iu")`
    \b(?:note|message|instruction|reminder)s? (?:to|for) (?:the |any |an? )?(?:model|assistant|ai
    |agent|bot|llm)s?\b|(?:给|对)(?:模型|助手|智能体|机器人|AI)的?(?:指令|说明|提示|消息|话)
  `,
  /\b(?:new|updated) (?:instructions?|rules?|polic(?:y|ies))\b/iu,
  /\bset\b.{0,20}\b(?:limit|kyc|level)\b/iu,
  pattern("iu")`
    \b(?:limit|cap|restriction|rule|polic(?:y|ie)|check|verification|kyc
    |approval)s?\b.{0,30}\b(?:(?:not|\w+n['’]t|no longer|never) appl|(?:lift|waiv|suspend|disabl
    |remov)ed|(?:switched|turned) off)
  `,
  /(?:限制|限额|规则|验证|审核|认证|上限|检查).{0,12}(?:不适用|无效|失效|作废|不算数|放开|(?:已|被)(?:取消|解除|关闭))/u,
  pattern("u")`
    (?:忽略|无视|忘记|忘掉|绕过|跳过|绕开|关闭|取消|解除|不管|别管|不理会|别理|豁免
    |去掉).{0,16}(?:限制|限额|规则|指令|指示|提示|验证|审核|认证|上限|确认|检查)
  `,
  /(?:系统|开发者|管理员)(?:提示|消息|指令|模式|权限)|(?:你是|扮演|假装|作为).{0,8}(?:管理员|系统|开发者|银行)/u,
  /(?:无需|不用|不要|免)(?:确认|验证|审核|认证)/u,
]

/** Tells whether the text tries to instruct the engine which rules to follow. */
export const givesOrders = (text: string): boolean => {
  const plain = text.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "")
  return ORDERS.some((order) => order.test(plain))
}
