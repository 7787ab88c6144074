/**
 * What `GET /v1/refunds` asks: newest first, from behind `starting_after`; those of a payment, or
 * all that an account has given.
 */
export type RefundQuery = (
  | { readonly payment_intent: string }
  | { readonly payee_account_id: string }
) & { readonly starting_after?: string; readonly limit: number }
