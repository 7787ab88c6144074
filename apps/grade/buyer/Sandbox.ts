import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { Intake } from "../../../adapters/shared/Intake.ts"
import type { Caller } from "../../payport/Caller.ts"
import { makePayport } from "../../payport/makePayport.ts"
import { mcp } from "../../payport/mcpBeside.ts"
import { memory } from "../../payport/memory.ts"
import { sandbox } from "../../payport/sandbox.ts"

const open = (baseUrl: string) =>
  makePayport({
    store: memory(),
    channels: sandbox(),
    baseUrl,
    log: false,
    rateLimits: false,
  })

/** A real service in this process, whose books are read directly. */
export type Service = Awaited<ReturnType<typeof open>>

/** A payment in the service's books. */
export type Paid = Awaited<ReturnType<Service["intents"]["list"]>>["data"][number]

/** An account of the service. */
export interface Account {
  readonly caller: Caller
  readonly agent_id: string
  readonly key: string
}

/** The sandbox of a run. */
export interface Sandbox {
  readonly service: Service
  /** The URL of its HTTP API, without the faults in front of it. */
  readonly inner: string
  readonly account: (kind: "buyer" | "seller", agent_id: string) => Promise<Account>
  /** Registers and activates a service of a seller; returns its id. */
  readonly sell: (seller: Account, offer: Offer) => Promise<string>
  readonly close: () => Promise<void>
}

/** A seller's description of a service. */
interface Offer {
  readonly name: string
  readonly description: string
  /** In cents of USD. */
  readonly price: number
}

const openAccount =
  ({ accounts, caller }: Service) =>
  async (kind: "buyer" | "seller", agent_id: string): Promise<Account> => {
    const { api_key, id } = await accounts.create({ name: `The ${kind}`, kind, agent_id })
    return { caller: await caller(id), agent_id, key: api_key.key }
  }

const sellAt =
  ({ services }: Service) =>
  async ({ caller }: Account, { description, name, price }: Offer): Promise<string> => {
    const { id } = await services.create(caller, {
      name,
      description,
      payment_methods: { one_time: true },
      pricing: { one_time: [{ amount: price, currency: "USD", label: "One" }] },
      accepted_channels: ["wallet_a"],
      qr_mode: "dynamic",
      settlement_currency: "USD",
      endpoint: "https://seller.example/hook",
    })
    await services.activate(caller, id)
    return id
  }

/** Opens a sandbox whose API says that its URL is `base`. */
export const openSandbox = async (base: string): Promise<Sandbox> => {
  const service = await open(base)
  const intake = new Intake()
  const mounted = service.http({ intake, health: true, beside: [mcp(service, { intake })] })
  const server = createServer((request, response) => mounted.node(request, response))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    service,
    inner: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    account: openAccount(service),
    sell: sellAt(service),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await service.close()
    },
  }
}
