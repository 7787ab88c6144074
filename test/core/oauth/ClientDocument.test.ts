import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { clientOfDocument, documentHost } from "../../../core/oauth/ClientDocument.ts"

const ADDRESS = "https://app.example/oauth/client.json"
const LOCAL = "http://127.0.0.1:3000/callback"

const document = {
  client_id: ADDRESS,
  client_name: "Reading assistant",
  client_uri: "https://app.example",
  redirect_uris: [LOCAL],
}

describe("the address of a document", () => {
  test.each([
    [ADDRESS, "app.example"],
    ["https://app.example/", "app.example"],
    ["https://app.example:8443/client?v=1", "app.example:8443"],
    ["https://app.example/a..b/.well-known/x", "app.example"],
  ])("%s has a host", (address, host) => {
    expect(documentHost(address)).toBe(host)
  })

  test.each([
    "http://app.example/client.json",
    "https://app.example",
    "https://user@app.example/client.json",
    "https://user:pass@app.example/client.json",
    "https://app.example/client.json#fragment",
    "https://app.example/a/../client.json",
    "https://app.example/a/%2e%2E/client.json",
    "https://app.example/./client.json",
    "https://app.example/..",
    "https://App.example/client.json",
    "https://app.example\\@evil.example/client.json",
    "https://пример.example/client.json",
    "https://app.example/client.json\n",
    " https://app.example/client.json",
    `https://app.example/${"x".repeat(512)}`,
    "javascript:alert(1)",
    "oc_eyJ9.c2ln",
    "",
  ])("%j is none", (text) => {
    expect(documentHost(text)).toBeUndefined()
  })
})

describe("a document", () => {
  test("says what the program is, and what is not taken as an answer's address is left out", () => {
    const redirect_uris = ["myapp://callback", LOCAL, "http://evil.example/"]
    const client_name = "Your bank\u202e\nRead"
    const found = clientOfDocument(ADDRESS, {
      ...document,
      redirect_uris,
      client_name,
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    })
    expect(found).toEqual(
      Result.succeed({ name: "Your bank Read", redirect_uris: [LOCAL], host: "app.example" }),
    )
  })

  test.each([
    ["must have client_id", null],
    ["must have client_id", []],
    ["must have client_id", { ...document, client_id: undefined }],
    ["must have client_id", { ...document, client_name: undefined }],
    ["must have client_id", { ...document, client_name: "" }],
    ["must have client_id", { ...document, redirect_uris: [] }],
    ["must have client_id", { ...document, redirect_uris: LOCAL }],
    ["must have client_id", { ...document, client_secret: "a secret" }],
    ["its own URL", { ...document, client_id: "https://other.example/client.json" }],
    ["its own URL", { ...document, client_id: "https://app.example:443/oauth/client.json" }],
    ["its own URL", { ...document, client_id: `${ADDRESS}/` }],
    ["redirect URI", { ...document, redirect_uris: ["javascript:alert(1)"] }],
    ["must have none", { ...document, token_endpoint_auth_method: "private_key_jwt" }],
    ["must have none", { ...document, token_endpoint_auth_method: "client_secret_basic" }],
    ["authorization_code", { ...document, grant_types: ["client_credentials"] }],
    ["must have code", { ...document, response_types: ["token"] }],
  ])("is refused where it does not %s: %j", (reason, said) => {
    const found = clientOfDocument(ADDRESS, JSON.parse(JSON.stringify(said)))
    expect(found).toEqual(Result.fail(expect.stringContaining(reason)))
  })
})
