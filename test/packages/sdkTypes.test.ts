import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { expect, expectTypeOf, onTestFinished, test } from "vitest"
import type { SchemeNetworkClient } from "@x402/core/types"
import type { Methods } from "../../adapters/http/client/Methods.ts"
import type { ErrorCode } from "../../adapters/http/client/Resources.ts"
import type { X402BuyerScheme } from "../../adapters/http/client/x402Buyer.ts"
import type { X402Scheme } from "../../adapters/http/client/x402Payer.ts"
import type { Api } from "../../adapters/http/contract/Api.ts"
import { answerOf } from "../../adapters/http/contract/Errors.ts"
import { REFUSALS } from "../../adapters/http/paid/Verdict.ts"
import type { WebhookEvent } from "../../adapters/receiver/Events.ts"
import { sdkFiles } from "../../apps/packages/sdkFiles.ts"
import type { METHODS, SANDBOX_METHODS } from "../../apps/payport/methods.ts"
import type { FailureCode } from "../../core/shared/Failure.ts"
import type { EventData } from "../../core/webhooks/events/Event.ts"
import { projectRoot } from "../support/sourceFiles.ts"

type Endpoints =
  typeof Api extends HttpApi.HttpApi<infer _Id, infer Groups>
    ? {
        [G in Groups as HttpApiGroup.Identifier<G>]: {
          [
            E in Extract<
              HttpApiGroup.Endpoints<G>,
              HttpApiEndpoint.ConstraintRequest
            > as E["identifier"]
          ]: E
        }
      }
    : never

type EndpointOf<Name> = Name extends `${infer G extends keyof Endpoints}.${infer E}`
  ? Endpoints[G][E & keyof Endpoints[G]]
  : never

type Shown<E> = E extends { readonly "~Success": { readonly Type: infer A } }
  ? Exclude<A, string | Uint8Array>
  : never
type Body<E> = E extends { readonly "~Payload": { readonly Encoded: infer A } } ? A : never

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

/** The type as a caller may write it: with `undefined` for each optional field. */
type Writable<T> = T extends string | number | boolean | null | undefined
  ? T
  : string extends keyof T
    ? T
    : { [K in keyof T]: Writable<T[K]> | (object extends Pick<T, K> ? undefined : never) }

/** Whether one of a method's arguments has the type of the contract's body; true without a body. */
type TakesBody<Args extends ReadonlyArray<unknown>, B> = [keyof B] extends [never]
  ? true
  : Same<Args extends readonly [string, infer I, ...infer _] ? I : Args[0], B> extends true
    ? true
    : Same<NonNullable<Args[0]>, B> extends true
      ? true
      : Same<NonNullable<Args[1]>, B> extends true
        ? true
        : Same<NonNullable<Args[2]>, B>

type Table = typeof METHODS & typeof SANDBOX_METHODS

/** The names of the methods whose types differ from the contract's. */
type Wrong = {
  [R in keyof Table & keyof Methods]: {
    [M in keyof Table[R] & keyof Methods[R]]: Table[R][M] extends string
      ? Methods[R][M] extends (
          ...args: infer Args extends ReadonlyArray<unknown>
        ) => Promise<infer A>
        ? [
            Same<Writable<A>, Writable<Shown<EndpointOf<Table[R][M]>>>>,
            TakesBody<Required<Args>, Writable<Body<EndpointOf<Table[R][M]>>>>,
          ] extends [true, true]
          ? never
          : `${R}.${M & string}`
        : `${R}.${M & string} is no method`
      : never
  }[keyof Table[R] & keyof Methods[R]]
}[keyof Table & keyof Methods]

type DataOf<T> = Extract<WebhookEvent, { type: T }>["data"]
type WrongEvents = {
  [T in keyof EventData]: Same<DataOf<T>, EventData[T]> extends true ? never : T
}

test("the SDK's types are those of the contract", () => {
  expectTypeOf<Wrong>().toEqualTypeOf<never>()
  expectTypeOf<keyof Table>().toEqualTypeOf<keyof Methods>()
  expectTypeOf<ErrorCode>().toEqualTypeOf<FailureCode>()
  expectTypeOf<WrongEvents[keyof EventData]>().toEqualTypeOf<never>()
  expectTypeOf<WebhookEvent["type"]>().toEqualTypeOf<keyof EventData>()
  expectTypeOf<X402Scheme>().toExtend<SchemeNetworkClient>()
  expectTypeOf<X402BuyerScheme>().toExtend<SchemeNetworkClient>()
})

test("an optional field of an input may be undefined, which is not sent", () => {
  type Create = Parameters<Methods["intents"]["create"]>[0]
  expectTypeOf<{ readonly return_url: undefined }>().toExtend<Pick<Create, "return_url">>()
  expectTypeOf<{ readonly limit: undefined }>().toExtend<
    Parameters<Methods["intents"]["list"]>[0]
  >()
  type Restrictions = NonNullable<Parameters<Methods["keys"]["create"]>[0]>["restrictions"]
  expectTypeOf<{ readonly budget: undefined }>().toExtend<Restrictions>()
})

test("its files are as they would be written now", async () => {
  const folder = await mkdtemp(join(tmpdir(), "payport-sdk-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(sdkFiles())) {
    await writeFile(join(folder, basename(path)), text)
  }
  const config = join(projectRoot, ".oxfmtrc.json")
  await promisify(execFile)("oxfmt", ["--config", config, folder], { cwd: projectRoot })
  for (const path of Object.keys(sdkFiles())) {
    const written = await readFile(join(folder, basename(path)), "utf8")
    expect(await readFile(join(projectRoot, path), "utf8"), path).toBe(written)
  }
})

test("a program without the DOM's types has all of the SDK's", async () => {
  const entries = ["adapters/http/client/entry.ts", "adapters/http/paid/402.ts"]
  const flags = ["--ignoreConfig", "--noEmit", "--strict", "--exactOptionalPropertyTypes"]
  const target = ["--target", "es2024", "--lib", "es2024", "--module", "nodenext"]
  const types = ["--types", "node", "--allowImportingTsExtensions"]
  const files = [...entries, "adapters/receiver/webhooks.ts"]
  await promisify(execFile)("tsc", [...flags, ...target, ...types, ...files], { cwd: projectRoot })
})

test("a paywall refuses as the service does", () => {
  for (const [code, refusal] of Object.entries(REFUSALS)) {
    expect(refusal, code).toEqual(answerOf(code as keyof typeof REFUSALS))
  }
})
