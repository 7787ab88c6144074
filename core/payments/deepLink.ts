import type { Money } from "../shared/Money.ts"

/** The link that opens the payer's wallet (One-Time Pay). */
export const deepLink = (id: string, amount: Money, channel: string): string =>
  `svc://pay/${id}?amount=${amount.value}&currency=${amount.currency}&channel=${channel}`
