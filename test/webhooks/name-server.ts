import { createSocket } from 'node:dgram'
import { type LookupAddress, type lookup as lookUp, Resolver } from 'node:dns'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** Bytes of the header of a message, of the type and class after a name, and of what precedes the address in an answer. */
const HEADER = 12
const QUESTION = 4
const RESOURCE = 12
const TYPE_A = 1

/**
 * A name server on this machine (RFC 1035). Every name has the addresses of IPv4 in the next of some lists with each
 * question, and those in the last one from then on.
 * @returns a function that asks it, as `dns.lookup` asks the system
 */
export async function startNameServer(...answers: readonly string[][]): Promise<typeof lookUp> {
  let asked = 0
  const server = createSocket('udp4')
  server.on('message', (message, { port }) => {
    const question = questionOf(message)
    const isAddress = question.readUInt16BE(question.length - QUESTION) === TYPE_A
    const addresses = isAddress ? (answers[Math.min(asked++, answers.length - 1)] ?? []) : []
    const header = Buffer.alloc(HEADER)
    message.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(addresses.length, 6)
    server.send(Buffer.concat([header, question, ...addresses.map(resourceOf)]), port, '127.0.0.1')
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  const lookup = (name: string, _options: unknown, give: (error: Error | null, found: LookupAddress[]) => void) =>
    resolver.resolve4(name, (error, found = []) =>
      give(
        error,
        found.map(address => ({ address, family: 4 })),
      ),
    )
  return lookup as unknown as typeof lookUp
}

/** The first question of a message: a name of labels with their lengths, a type and a class. */
function questionOf(message: Buffer): Buffer {
  let end = HEADER
  while ((message[end] ?? 0) > 0) end += 1 + (message[end] ?? 0)
  return message.subarray(HEADER, end + 1 + QUESTION)
}

/** An address that is valid for this answer only, of the name in the question. */
function resourceOf(address: string): Buffer {
  const resource = Buffer.alloc(RESOURCE)
  resource.writeUInt16BE(0xc000 + HEADER, 0)
  resource.writeUInt16BE(TYPE_A, 2)
  resource.writeUInt16BE(1, 4)
  resource.writeUInt16BE(4, RESOURCE - 2)
  return Buffer.concat([resource, Buffer.from(address.split('.').map(Number))])
}
