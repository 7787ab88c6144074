import type { Channels } from "../../core/ports/Channels.ts"

type Service = Channels["Service"]

/** Combines channels with their own services, by id, with `others` for the rest. */
export const byChannel = (own: ReadonlyMap<string, Service>, others: Service): Service => {
  const of = (channel: string): Service => own.get(channel) ?? others
  return {
    health: (channel) => of(channel).health(channel),
    createQr: (charge) => of(charge.channel).createQr(charge),
    createDeepLink: (charge) => of(charge.channel).createDeepLink(charge),
    call: (call) => of(call.channel).call(call),
    ask: (call) => of(call.channel).ask(call),
    requestMandate: (mandate) => of(mandate.channel).requestMandate(mandate),
    askMandate: (mandate) => of(mandate.channel).askMandate(mandate),
    revokeMandate: (mandate) => of(mandate.channel).revokeMandate(mandate),
    query: (charge) => of(charge.channel).query(charge),
    statement: (channel, ...rest) => of(channel).statement(channel, ...rest),
    payerOf: (channel, ...rest) => of(channel).payerOf(channel, ...rest),
    readCallback: (channel, ...rest) => of(channel).readCallback(channel, ...rest),
    noteCallback: (callback, payment) => of(callback.channel).noteCallback(callback, payment),
  }
}
