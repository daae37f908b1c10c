import * as z from 'zod/mini'
import { TrashRoom } from '../../../shared/api/trash.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Room } from '../../files/trash-room.ts'
import { spareOf } from '../../lib/spare-space.ts'
import { callerOf, type Route } from '../../routing/route.ts'

export interface RoomDeps {
  files: FilesService
  config: { trashDays: number; trashShare: number; spareSpace: number | undefined }
}

/** Says what the trash takes of each disk, and how much it may take. */
export function roomRoute({ files, config }: RoomDeps): Route {
  return {
    method: 'GET',
    path: '/api/trash/room',
    access: 'user',
    token: 'read',
    describes: {
      summary: 'Tell what the trash takes of each disk',
      answers: {
        200: { text: 'The disks on which there are things that the caller sees.', schema: z.array(TrashRoom) },
      },
      refuses: [501],
    },
    async handler(request): Promise<TrashRoom[]> {
      const { trash } = await files.for(callerOf(request).user)
      return (await trash.rooms()).map(room => presentRoom(room, config))
    },
  }
}

function presentRoom(
  { disk, ...room }: Room,
  { trashDays: days, trashShare, spareSpace }: RoomDeps['config'],
): TrashRoom {
  // A bucket has no size.
  if (!disk || !Number.isFinite(disk.total)) return { ...room, limits: { days } }
  const most = Math.floor((disk.total * trashShare) / 100)
  return { ...room, ...disk, limits: { days, most, spare: Math.floor(spareOf(disk.total, spareSpace)) } }
}
