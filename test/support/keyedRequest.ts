import { type IdempotentRequest, KEPT_FOR } from "../../core/idempotency/Reply.ts"
import { buyer } from "./world.ts"

/** The facts about a buyer's request with an Idempotency-Key. */
export const keyedRequest = (
  key: string,
  holder: string,
  resumes: string | null,
): IdempotentRequest => ({
  account_id: buyer.id,
  key,
  place: "reply",
  fingerprint: "f",
  render: JSON.stringify,
  progress: { holder, resumes, state: "none", kept: true },
  kept_for: KEPT_FOR,
})
