/** The body of a good `POST /v1/services`; a test says which fields differ. */
export const aManifest = (fields: object = {}) => ({
  name: "Ask the oracle",
  description: "Answers questions.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One answer" }] },
  accepted_channels: ["wallet_a", "wallet_b"],
  qr_mode: "dynamic" as const,
  settlement_currency: "USD",
  endpoint: "https://seller.example/hooks",
  tags: ["answers"],
  ...fields,
})
