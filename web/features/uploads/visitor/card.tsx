import { useEffect, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import type { EditRight } from '../../../../shared/api/shares.ts'
import type { LinkFolders } from '../../files/api/link-folders.ts'
import { UploadCard, useUploading } from '../card.tsx'
import { uploadsOf } from './uploads.ts'
import { useTicketOf } from './use-ticket.ts'

export interface VisitorCardProps {
  hash: string
  /** Of a link with a password. */
  ticket: string | undefined
  rights: readonly EditRight[]
  /** Whether the link asks for the name of the visitor. */
  isNamed: boolean
  folders: LinkFolders
}

/** The uploads of a visitor of a link to edit, in the corner of the page. Hidden without any. */
export default function VisitorCard({ hash, ticket, rights, isNamed, folders }: VisitorCardProps) {
  const uploads = uploadsOf(hash, folders)
  const { uploader, visitor } = uploads
  const snapshot = useSyncExternalStore(
    listener => uploader.queue.subscribe(listener),
    () => uploader.queue.get(),
  )
  const { totals, paused, jobs } = snapshot
  useEffect(() => void Object.assign(uploads, { rights }), [uploads, rights])
  useEffect(() => void Object.assign(visitor, { isNamed }), [visitor, isNamed])
  useUploading({ uploader, snapshot })
  const running = totals.active + totals.queued > 0
  useTicketOf({ queue: uploader.queue, visitor, ticket, onReload: folders.reload }, running, paused === 'session')
  const corner = document.getElementById('activity')
  if (jobs.length === 0 || !corner) return null
  return createPortal(<UploadCard uploader={uploader} snapshot={snapshot} />, corner)
}
