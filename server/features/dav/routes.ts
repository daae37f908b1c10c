import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from '../../routing/route.ts'
import { type DavDeps, makeCollection, put, read, remove } from './content.ts'
import { propfindAbove } from './folder-above.ts'
import { lock, unlock } from './locking.ts'
import { propfind } from './propfind.ts'
import { proppatch } from './proppatch.ts'
import { transfer } from './transfer.ts'

/** What WebDAV classes this server speaks (RFC 4918, 10.1). */
const CLASSES = '1, 2, 3'
const ALLOWED = 'OPTIONS, GET, HEAD, PUT, DELETE, MKCOL, COPY, MOVE, PROPFIND, PROPPATCH, LOCK, UNLOCK'

/** Descriptions of WebDAV are in docs/webdav.md: OpenAPI knows no such methods. */
const UNDESCRIBED = { summary: 'WebDAV', answers: {} } as const

/** The methods of WebDAV, below `/dav` (docs/webdav.md). */
export function davRoutes(deps: DavDeps): Route[] {
  const path = '/dav/*'
  const reading = { path, access: 'user', token: 'read', body: 'raw', describes: UNDESCRIBED } as const
  const writing = { path, access: 'user', token: 'write', body: 'raw', describes: UNDESCRIBED } as const
  return [
    { method: ['OPTIONS'], path, access: 'public', records: 'nothing', describes: UNDESCRIBED, handler: options },
    { ...reading, method: ['GET', 'HEAD'], records: 'download', handler: read(deps) },
    { ...writing, method: 'PUT', records: 'upload', handler: put(deps) },
    { ...writing, method: 'DELETE', records: 'delete', handler: remove(deps) },
    { ...reading, method: 'PROPFIND', records: 'nothing', handler: propfind(deps) },
    { ...writing, method: 'PROPPATCH', records: 'nothing', handler: proppatch(deps) },
    { ...writing, method: 'COPY', records: 'copy', handler: transfer('copy', deps) },
    { ...writing, method: 'MOVE', records: 'move', handler: transfer('move', deps) },
    { ...writing, method: 'MKCOL', records: 'folder', handler: makeCollection(deps) },
    { ...writing, method: 'LOCK', records: 'lock', handler: lock(deps) },
    { ...writing, method: 'UNLOCK', records: 'unlock', handler: unlock(deps) },
  ]
}

/** Methods of the folder above: Windows asks for it before it asks for what it mounts. */
export function routesAbove(deps: DavDeps): Route[] {
  const above = { path: '/', records: 'nothing', describes: UNDESCRIBED } as const
  return [
    { ...above, method: ['OPTIONS'], access: 'public', handler: options },
    { ...above, method: 'PROPFIND', access: 'user', token: 'read', body: 'raw', handler: propfindAbove(deps) },
  ]
}

async function options(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.headers({ DAV: CLASSES, Allow: ALLOWED, 'MS-Author-Via': 'DAV', 'Accept-Ranges': 'bytes', 'Content-Length': 0 })
  return reply.code(200).send()
}
