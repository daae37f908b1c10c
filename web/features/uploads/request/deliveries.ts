import { useSyncExternalStore } from 'react'
import type { FileRequest } from '../../../../shared/api/shares.ts'
import { childOf, nameOf, PathError, ROOT } from '../../../../shared/path.ts'
import { createStore, type Store } from '../../../lib/store.ts'
import { followNetwork } from '../follow-network.ts'
import { type NewJob, UploadQueue, type UploadSnapshot } from '../queue.ts'
import { requestTransport, type Visitor } from './transport.ts'

/** What a visitor sends through one file request. It outlives the page, which a password that has changed replaces. */
export interface Deliveries {
  visitor: Visitor
  queue: UploadQueue
  /** The files that have arrived, since the last thanks. */
  sent: Store<readonly Sent[]>
}

/** A file that has arrived; names may occur twice. */
export interface Sent {
  id: number
  name: string
}

const known = new Map<string, Deliveries>()

export function deliveriesOf(hash: string): Deliveries {
  const found = known.get(hash) ?? openDeliveries(hash)
  known.set(hash, found)
  return found
}

function openDeliveries(hash: string): Deliveries {
  const visitor: Visitor = { hash, ticket: undefined, sender: '', note: '' }
  const sent = createStore<readonly Sent[]>([])
  const queue = new UploadQueue(requestTransport(() => visitor))
  queue.onArrival(path => sent.set([...sent.get(), { id: sent.get().length, name: nameOf(path) }]))
  followNetwork(queue)
  return { visitor, queue, sent }
}

export function useQueue({ queue }: Deliveries): UploadSnapshot {
  return useSyncExternalStore(
    listener => queue.subscribe(listener),
    () => queue.get(),
  )
}

/** A chosen file as a job; what the request refuses fails before it is sent. */
export function jobOf(file: File, { maxFileBytes }: FileRequest): NewJob {
  const path = pathOf(file.name)
  const isTooLarge = maxFileBytes !== null && file.size > maxFileBytes
  const reason = path === undefined ? 'badName' : isTooLarge ? 'tooLarge' : undefined
  return {
    ...{ path: path ?? childOf(ROOT, '?'), file, existing: undefined },
    ...(reason && { failure: { reason, message: '' } }),
  }
}

/** Names that begin with a dot are refused. */
function pathOf(name: string) {
  try {
    return name.startsWith('.') ? undefined : childOf(ROOT, name)
  } catch (error) {
    if (error instanceof PathError) return undefined
    throw error
  }
}
