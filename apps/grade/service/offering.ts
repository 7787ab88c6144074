import { type Basis, post } from "./basis.ts"
import type { Service } from "./Service.ts"
import { Manifest } from "./Wire.ts"

/** The functions that make the checks' services. */
export type Offering = Pick<Service, "manifest" | "offered" | "wish">

/** Makes the services of the checks' seller. */
export const makeOffering = ({ chance, hooks, must, options, run, seller }: Basis): Offering => {
  const { channel, currency } = options
  const manifest: Service["manifest"] = (fields = {}) => ({
    name: `Graded ${run} ${chance.hex(8)}`,
    description: "Offered by payport grade service.",
    payment_methods: { one_time: true },
    pricing: { one_time: [{ amount: 120, currency, label: "One" }] },
    accepted_channels: [channel],
    qr_mode: "dynamic",
    settlement_currency: currency,
    endpoint: hooks.at().url,
    ...fields,
  })
  const offer = async () => {
    const { id } = await must(201, Manifest, post(seller, "/v1/services", manifest()))
    const path = `/v1/services/${id}/activate`
    await must(200, Manifest, { who: seller, method: "PATCH", path })
    return id
  }
  let offered: Promise<string> | undefined
  return {
    manifest,
    offered: () => (offered ??= offer()),
    wish: async (value = 120, fields = {}) => ({
      service_id: await (offered ??= offer()),
      type: "one_time",
      amount: { currency, value },
      description: "One of the checks",
      payer_channel: channel,
      ...fields,
    }),
  }
}
