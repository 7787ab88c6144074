/** Common names of plans in English. */
export const TIERS: ReadonlySet<string> = new Set(
  (
    "free basic starter standard plus pro professional premium business team teams enterprise " +
    "gold silver bronze platinum advanced lite essential essentials growth unlimited student " +
    "family personal individual developer ultimate"
  ).split(" "),
)

/** Common names of plans in Chinese, with their English counterparts. The first match counts. */
const HAN_PLANS: ReadonlyArray<readonly [RegExp, string]> = [
  [/专业版?/u, "pro"],
  [/(?:基础|基本)版?/u, "basic"],
  [/标准版?/u, "standard"],
  [/(?:高级|尊享|豪华)版?/u, "premium"],
  [/企业版?/u, "enterprise"],
  [/(?:入门|初级|体验)版?/u, "starter"],
  [/免费版/u, "free"],
  [/团队版?/u, "team"],
  [/个人版?/u, "personal"],
  [/家庭版?/u, "family"],
  [/黄金/u, "gold"],
  [/白金|铂金/u, "platinum"],
]

/** Returns the plan that a Chinese text names, as its English counterpart. */
export const hanPlanIn = (text: string): string | undefined =>
  HAN_PLANS.find(([names]) => names.test(text))?.[1]

/** Tells whether a Chinese text names the plan of that English name. */
export const namesHanPlan = (text: string, plan: string): boolean =>
  HAN_PLANS.some(([names, named]) => named === plan.toLowerCase() && names.test(text))
