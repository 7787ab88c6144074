import { Effect } from "effect"
import { HOST, parseHost, parsePort, read, variable } from "../variables.ts"

/** Where the listener of probes is, and whether somebody said so; undefined port for none. */
export interface Probes {
  readonly host: string
  readonly port: number | "off" | undefined
}

/** Where a worker without another listener has its probes. */
const USUAL_PORT = 4021

/** The variables of the listener of probes, for the help. */
export const probeVariables = {
  probe_port: variable(
    "PAYPORT_PROBE_PORT",
    "a port from 0 to 65535 for health and metrics alone, or off",
    `unset: ${USUAL_PORT}, if it is free, for a worker that listens nowhere else`,
    (text) => (text === "off" ? text : parsePort(text)),
  ),
  probe_host: variable("PAYPORT_PROBE_HOST", HOST, "127.0.0.1", parseHost),
}

/** Reads where the listener of probes is to be. */
export const readProbes = Effect.gen(function* () {
  const probes: Probes = {
    port: yield* read(probeVariables.probe_port),
    host: (yield* read(probeVariables.probe_host)) ?? "127.0.0.1",
  }
  return probes
})

/** What else the process listens for. */
export interface Listeners {
  readonly api: boolean
  readonly admin: boolean
}

/**
 * The listener of probes that a process has besides its others: the one of the setting, else a
 * worker's usual one, which it goes without where the port is taken. Metrics are on the operators'
 * listener alone where there is one.
 */
export const probeListener = ({ host, port }: Probes, { admin, api }: Listeners) => {
  if (port === "off" || (port === undefined && (api || admin))) return undefined
  return {
    host,
    port: port ?? USUAL_PORT,
    part: admin ? ("health" as const) : ("probes" as const),
    isWanted: port !== undefined,
  }
}
