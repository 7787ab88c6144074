import { WebhookError } from "../../../adapters/receiver/webhooks.ts"

/** The code of the error that taking a delivery ends with; "taken" when it is taken. */
export const codeOf = (take: () => unknown): string => {
  try {
    take()
    return "taken"
  } catch (error) {
    if (error instanceof WebhookError) return error.code
    throw error
  }
}
