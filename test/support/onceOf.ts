import type { Once } from "../../core/idempotency/Once.ts"
import { KEPT_FOR } from "../../core/idempotency/Reply.ts"
import { buyer } from "./world.ts"

/** What a request of the buyer under an Idempotency-Key knows of itself. */
export const onceOf = (key: string, holder: string, resumes: string | null): Once => ({
  account_id: buyer.id,
  key,
  fingerprint: "f",
  holder,
  resumes,
  render: JSON.stringify,
  state: "none",
  kept: true,
  kept_for: KEPT_FOR,
})
