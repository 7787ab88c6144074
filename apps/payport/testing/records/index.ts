/** Records of every kind as tests store them; a test sets the fields that differ. */
export * from "./accounts.ts"
export * from "./channels.ts"
export * from "./everyKind.ts"
export * from "./ids.ts"
export * from "./listings.ts"
export * from "./payments.ts"
export * from "./recurring.ts"
export * from "./webhooks.ts"
