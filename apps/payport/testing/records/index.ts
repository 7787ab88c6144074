/** Records of every kind, as tests store them: whole, and different where a test says so. */
export * from "./accounts.ts"
export * from "./channels.ts"
export * from "./everyKind.ts"
export * from "./ids.ts"
export * from "./listings.ts"
export * from "./payments.ts"
export * from "./recurring.ts"
export * from "./webhooks.ts"
