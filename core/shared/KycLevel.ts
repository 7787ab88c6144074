/** Where a KYC level stands; each includes what the lower ones may do (KYC level limits). */
export const KYC_LEVELS = ["anonymous", "basic", "enhanced", "business"] as const
export type KycLevel = (typeof KYC_LEVELS)[number]

/** Whether a payer of that level may do what the required level may. */
export const atLeast = (level: KycLevel, required: KycLevel): boolean =>
  KYC_LEVELS.indexOf(level) >= KYC_LEVELS.indexOf(required)

/** The lower of two levels. */
export const lower = (a: KycLevel, b: KycLevel): KycLevel => (atLeast(a, b) ? b : a)
