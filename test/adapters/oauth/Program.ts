import * as oauth from "oauth4webapi"
import { expect } from "vitest"
import type { App } from "../../support/app.ts"

/** The public address of the app: the only http that clients send a code to. */
export const BASE = "http://payport.localhost"
export const REDIRECT = "http://127.0.0.1:33418/callback"

/** Sends requests for the public address to the app itself. */
export const fetchOf =
  (app: App) =>
  (url: string | URL, init?: object): Promise<Response> =>
    fetch(String(url).replace(BASE, app.url), init)

/** The limits that a person chooses by default. */
export const limits = (said: object = {}) => ({
  budget: { amount: { currency: "USD", value: 100 }, period: "daily" },
  expires_at: "2090-01-31T08:00:00Z",
  ...said,
})

/** A program with another OAuth library, and the person who uses it. */
export const openProgram = async (app: App, client_name = "Reading assistant") => {
  const options = {
    [oauth.customFetch]: fetchOf(app),
    [oauth.allowInsecureRequests]: true,
  } as const
  const issuer = new URL(BASE)
  const discovered = await oauth.discoveryRequest(issuer, { ...options, algorithm: "oauth2" })
  const server = await oauth.processDiscoveryResponse(issuer, discovered)
  const metadata = { client_name, redirect_uris: [REDIRECT] }
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(server, metadata, options),
  )

  /** The request with which the program sends the person to authorize. */
  const ask = async (resource = `${BASE}/mcp`) => {
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const request = {
      response_type: "code",
      client_id: client.client_id,
      redirect_uri: REDIRECT,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      scope: "read pay",
      resource,
    }
    return { request, state, verifier }
  }

  /** The person agrees; returns the URL to which their browser goes. */
  const agree = async (request: object, restrictions: object = limits()) => {
    const key = app.buyer.api_key.key
    const body = { request, restrictions }
    const reply = await app.call("POST", "/v1/oauth/authorization", { key, body })
    expect(reply.status, reply.text).toBe(201)
    return {
      url: new URL(String(reply.json["redirect_to"])),
      key_id: String(reply.json["api_key_id"]),
    }
  }

  const exchange = async (url: URL, state: string, verifier: string, resource = `${BASE}/mcp`) => {
    const answer = oauth.validateAuthResponse(server, client, url, state)
    return oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      answer,
      REDIRECT,
      verifier,
      { ...options, additionalParameters: { resource } },
    )
  }

  /** Asks, is agreed to, and exchanges the code. */
  const connect = async (restrictions?: object, resource?: string) => {
    const { request, state, verifier } = await ask(resource)
    const { key_id, url } = await agree(request, restrictions)
    const response = await exchange(url, state, verifier, resource)
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response)
    return { ...tokens, refresh_token: String(tokens.refresh_token), key_id, url, verifier }
  }

  const refresh = async (token: string) =>
    oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, options)
  const processed = (response: Response) =>
    oauth.processRefreshTokenResponse(server, client, response)
  const revoke = async (token: string) =>
    oauth.revocationRequest(server, client, oauth.None(), token, options)
  return { server, client, ask, agree, exchange, connect, refresh, processed, revoke }
}

export type Program = Awaited<ReturnType<typeof openProgram>>

/** Sends a form by hand, as no library would; its status and error. */
export const post = async (app: App, path: string, fields: object) => {
  const body = new URLSearchParams(fields as Record<string, string>)
  const response = await fetch(`${app.url}${path}`, { method: "POST", body })
  const text = await response.text()
  const json = (text === "" ? {} : JSON.parse(text)) as { readonly error?: string }
  return { status: response.status, error: json.error, json, headers: response.headers }
}
