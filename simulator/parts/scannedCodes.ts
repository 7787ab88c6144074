import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { createIntent } from "../../core/payments/createIntent.ts"
import { CreateIntentInput, paymentRules } from "../../core/payments/IntentInput.ts"
import { Installation } from "../../core/ports/Installation.ts"
import { QrReader } from "../../core/ports/QrReader.ts"
import { scanQr } from "../../core/qr/scanQr.ts"
import type { ScanResult } from "../../core/qr/ScanResult.ts"
import { decode } from "../../core/shared/Decode.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { type PrintedCode, scannedCodeRules } from "../auditor/invariants/scannedCodes.ts"
import type { Shown } from "../players/PlayerWorld.ts"
import type { Chance } from "../random/Chance.ts"
import { SERVICES } from "../world/people/Population.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { codeCurrencies, drawMerchantCode } from "./merchantCodes.ts"
import { payAndCapture } from "./payShown.ts"

/** How many people scan, and how many images each of them. */
const PEOPLE = 4
const IMAGES = 5

const BASE_URL = "https://payport.example"

/** A payment that no world has, and a service. */
const UNKNOWN = {
  payment: "pi_00000000-0000-7000-8000-000000000000",
  service: "00000000-0000-7000-8000-000000000000",
} as const

const BROKEN: readonly [string, ...ReadonlyArray<string>] = [
  "svc://pay/nothing",
  "svc://pay/s/nothing?channel=wallet_a",
  `svc://pay/${UNKNOWN.payment}?channel=%20`,
  `svc://refund/${UNKNOWN.payment}`,
]

const MENU = "https://shop.example/menu?table=4"

/** An image is the list of its codes here: how a picture is read belongs to an adapter. */
const draw = (codes: ReadonlyArray<PrintedCode>): string =>
  JSON.stringify(codes.map(({ text }) => text))

const DATA_URL = "data:image/png;base64,"

const reader: QrReader["Service"] = {
  read: (image) =>
    Effect.sync(() => {
      const texts = JSON.parse(image) as ReadonlyArray<string>
      return { format: "png", codes: texts.map((text) => ({ text, version: 5 })) } as const
    }),
}

/** Scans with the world's currencies and those of merchant codes, by their ISO 4217 numbers. */
const scanning = (caller: Caller, image: string) =>
  scanQr(caller, { image }).pipe(
    Effect.updateService(Installation, (installation) => ({
      ...installation,
      currencies: new Map([...installation.currencies, ...codeCurrencies]),
    })),
    Effect.provideService(QrReader, reader),
  )

const linkTo = (place: string, channel: string | null): string =>
  channel === null ? `svc://pay/${place}` : `svc://pay/${place}?channel=${channel}`

const drawServiceCode = ({ people }: Scene, chance: Chance): PrintedCode => {
  const plan = chance.pick(SERVICES)
  const id = chance.hits(0.9) ? (people.services.get(plan.name) ?? "") : UNKNOWN.service
  const channel = chance.hits(0.3)
    ? null
    : chance.hits(0.6)
      ? chance.pick(plan.accepted_channels)
      : "wallet_d"
  return { text: linkTo(`s/${id}`, channel), says: { type: "service", id, channel } }
}

const drawPaymentCode = ({ auditor }: Scene, chance: Chance): PrintedCode => {
  const all = [...auditor.model.intents.keys()]
  const id = chance.pick([UNKNOWN.payment, ...all.slice(-6)])
  const isPage = chance.hits(0.3)
  const channel = isPage || chance.hits(0.5) ? null : "wallet_a"
  const text = isPage ? `${BASE_URL}/pay/${id}` : linkTo(id, channel)
  return { text, says: { type: "payment", id, channel } }
}

const drawCode = (scene: Scene, chance: Chance): PrintedCode =>
  chance.weighted<() => PrintedCode>([
    [6, () => drawMerchantCode(chance)],
    [4, () => drawServiceCode(scene, chance)],
    [3, () => drawPaymentCode(scene, chance)],
    [1, () => ({ text: chance.pick(BROKEN), says: { type: "broken_link" } })],
    [1, () => ({ text: MENU, says: { type: "url", url: MENU } })],
    [1, () => ({ text: "wifi:S:guests;P:noodles;;", says: { type: "text" } })],
  ])()

/** Scans an image of some codes, and returns the answer. */
const scan = Effect.fnUntraced(function* (
  scene: Scene,
  caller: Caller,
  codes: ReadonlyArray<PrintedCode>,
  key: string,
) {
  const { auditor, client, stage } = scene
  const isDataUrl = stage.chance(`form of ${key}`).hits(0.3)
  const body = { image: `${isDataUrl ? DATA_URL : ""}${draw(codes)}` }
  const [since, asked] = [auditor.model.step, stage.now()]
  const result = (yield* client.send({
    caller,
    route: "POST /v1/ai/scan-qr",
    body,
    key,
    verb: scanning(caller, body.image),
  })) as ScanResult | undefined
  if (result === undefined) return undefined
  const account = caller.account.id
  auditor.see("scanned", key, { account, codes, since, asked, at: stage.now(), result })
  return result
})

/** Sends the request that a scan recommends, and pays what it creates. */
const follow = Effect.fnUntraced(function* (
  scene: Scene,
  buyer: Caller,
  body: { readonly [field: string]: unknown },
  key: string,
) {
  const { client, people, stage } = scene
  const chance = stage.chance(`follows ${key}`)
  const input = decode(CreateIntentInput, paymentRules)(body)
  const made = (yield* client.send({
    caller: buyer,
    route: "POST /v1/payment-intents",
    body,
    key: `${key} pays`,
    status: 201,
    optimistic: true,
    verb: Effect.flatMap(Effect.fromResult(input), (said) => createIntent(buyer, said)),
  })) as Shown | undefined
  const id = made?.id
  const shown = id === undefined ? undefined : yield* client.read(buyer, id)
  const plan = SERVICES.find(({ name }) => people.services.get(name) === body["service_id"])
  const seller = people.sellers[plan?.seller ?? 0]
  if (id === undefined || shown === undefined || seller === undefined) return
  yield* payAndCapture(scene, seller, shown, chance, `${key} captures`)
})

const person = Effect.fnUntraced(function* (scene: Scene, n: number) {
  const { people, stage } = scene
  const chance = stage.chance(`scanner ${n}`)
  const [first = people.stranger] = people.buyers
  const caller = chance.pick([first, people.stranger, ...people.sellers.slice(0, 1)])
  for (let image = 0; image < IMAGES; image += 1) {
    yield* Effect.sleep(chance.wait(MINUTE) + SECOND)
    const codes = Array.from({ length: chance.int(0, 3) }, () => drawCode(scene, chance))
    const key = `scan ${n}.${image}`
    const result = yield* scan(scene, caller, codes, key)
    const request = result?.recommended_action?.request
    if (request !== undefined) yield* follow(scene, caller, request.body, key)
  }
})

/** People and agents who scan images of codes, and follow what is recommended. */
export const scanners: Part = {
  name: "scanned codes",
  heavy: 0.15,
  large: 0.5,
  rules: scannedCodeRules,
  errands: (scene) => Array.from({ length: PEOPLE }, (_, n) => person(scene, n)),
}
