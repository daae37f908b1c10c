import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/schema.ts'
import { BRANDING_FILES, type BrandingFile, type BrandingFolder } from '../../files/branding.ts'
import { sendFile } from '../../responses/send.ts'
import { readSettings } from '../settings/settings.store.ts'

export { BRANDING_FILES, type BrandingFile }

export interface SendBrandingDeps {
  db: Db
  branding: BrandingFolder
}

/** Sends the branding file of that name; `undefined` where there is none. */
export type SendBranding = (
  request: FastifyRequest,
  reply: FastifyReply,
  name: BrandingFile,
) => Promise<FastifyReply | undefined>

/** @param cacheControl which caches may keep these files, and for how long */
export function brandingSender({ db, branding }: SendBrandingDeps, cacheControl: string): SendBranding {
  return async (request, reply, name) => {
    const { files } = (await readSettings(db)).branding
    const file = await branding.open(files, name)
    return file && sendFile(request, reply, file, { inline: true, cacheControl })
  }
}
