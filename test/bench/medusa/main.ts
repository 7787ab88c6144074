import { once } from "node:events"
import { createRequire } from "node:module"
import { join } from "node:path"
import { type MedusaJob, type MedusaSaid, type MedusaSetUp, PRICE } from "./Medusa.ts"

/** The module's own provider, which makes no calls. */
const PROVIDER = "pp_system_default"

interface Identified {
  readonly id: string
}

interface Payment extends Identified {
  readonly captured_at: unknown
  readonly refunds: ReadonlyArray<unknown>
}

/** The part of the module's API that is used. */
interface PaymentModule {
  readonly createPaymentCollections: (data: object) => Promise<Identified>
  readonly createPaymentSession: (collection: string, data: object) => Promise<Identified>
  readonly authorizePaymentSession: (session: string, context: object) => Promise<Identified>
  readonly capturePayment: (data: object) => Promise<Payment>
  readonly refundPayment: (data: object) => Promise<Payment>
}

interface ModulesSdk {
  readonly MedusaAppMigrateUp: (options: object) => Promise<void>
  readonly MedusaApp: (options: object) => Promise<{
    readonly modules: { readonly payment: PaymentModule }
  }>
}

/** Loads the module alone, as Medusa's server loads all of its modules. */
const load = async ({ connections, databaseUrl, folder }: MedusaSetUp): Promise<PaymentModule> => {
  const library: unknown = createRequire(join(folder, "main.js"))("@medusajs/framework/modules-sdk")
  const { MedusaApp, MedusaAppMigrateUp } = library as ModulesSdk
  // New options for each call, since the application removes the links from its argument.
  const options = () => ({
    modulesConfig: {
      payment: { resolve: "@medusajs/payment", options: {} },
      // Without a module of links, which would join payments with carts and orders.
      link_modules: { initialize: async () => ({}), getMigrationPlanner: () => undefined },
    },
    sharedResourcesConfig: {
      database: { clientUrl: databaseUrl, pool: { min: 2, max: connections } },
    },
    cwd: folder,
  })
  await MedusaAppMigrateUp(options())
  const { modules } = await MedusaApp(options())
  return modules.payment
}

/** The id of a payment that was created, authorized and captured. */
const pay = async (payments: PaymentModule): Promise<string> => {
  const { amount } = PRICE
  const collection = await payments.createPaymentCollections(PRICE)
  const session = await payments.createPaymentSession(collection.id, {
    ...PRICE,
    provider_id: PROVIDER,
    data: {},
  })
  const { id } = await payments.authorizePaymentSession(session.id, {})
  const { captured_at } = await payments.capturePayment({ payment_id: id, amount })
  if (captured_at === null) throw new Error(`Payment ${id} was not captured.`)
  return id
}

const refund = async (payments: PaymentModule, id: string): Promise<void> => {
  const { refunds } = await payments.refundPayment({ payment_id: id, amount: PRICE.amount })
  if (refunds.length !== 1) throw new Error(`Payment ${id} has ${refunds.length} refunds.`)
}

const say = (said: MedusaSaid) => void process.send?.(said)

const explain = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Does all work, with so many pieces at a time. */
const inLanes = async <A>(
  lanes: number,
  work: ReadonlyArray<A>,
  each: (one: A) => Promise<void>,
): Promise<void> => {
  const left = work.values()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const one of left) await each(one)
    }),
  )
}

const [setUp] = (await once(process, "message")) as [MedusaSetUp]
process.once("disconnect", () => process.exit())
try {
  const payments = await load(setUp)
  let captured: Array<string> = []
  const live = async (job: MedusaJob) => {
    if (job === "refund") {
      await inLanes(setUp.connections, captured, (id) => refund(payments, id))
      return
    }
    captured = []
    await inLanes(setUp.connections, Array.from({ length: job.pay }), async () => {
      captured.push(await pay(payments))
    })
  }
  process.on("message", (job: MedusaJob) => {
    live(job).then(
      () => say("done"),
      (error: unknown) => say({ failed: explain(error) }),
    )
  })
  say("done")
} catch (error) {
  say({ failed: explain(error) })
}
