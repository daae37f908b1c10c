import { JobsHost } from '../features/jobs/host.tsx'
import { UploadsHost } from '../features/uploads/host.tsx'

/** The floating cards of uploads and jobs, and what accepts dropped and pasted files: loaded with the first page. */
export default function Trays() {
  return (
    <>
      <UploadsHost />
      <JobsHost />
    </>
  )
}
