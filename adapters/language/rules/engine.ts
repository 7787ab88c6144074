import { amountsIn } from "../../../core/language/AmountText.ts"
import type { Understanding } from "../../../core/language/Understanding.ts"
import { entitiesOf } from "./entitiesOf.ts"
import { intentOf } from "./intentOf.ts"

/** Understands English and Chinese by rules, at once and always the same. */
export const understand = (text: string, codes: ReadonlySet<string>): Understanding => {
  const plain = text.normalize("NFKC").replace(/\s+/g, " ").trim()
  const { confidence, intent } = intentOf(
    plain,
    amountsIn(plain, codes).some(({ currency }) => currency !== undefined),
  )
  return {
    intent,
    confidence,
    entities: intent === "unknown" ? {} : entitiesOf(plain, intent, codes),
  }
}
