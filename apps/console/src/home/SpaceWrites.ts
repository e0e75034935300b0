/** Writes to the list of spaces of an organization. */
import { request } from "../api/Api.ts"
import { client } from "../api/Queries.ts"

/** Reads the spaces and collections of an organization again. */
export const refreshSpaces = async (organization: string): Promise<void> => {
  await Promise.all(
    [["spaces", organization], ["collections", organization], ["deleted-spaces", organization], ["space"]].map(
      (queryKey) => client.invalidateQueries({ queryKey })
    )
  )
}

export const restoreSpace = async (organization: string, space: string): Promise<void> => {
  await request(`/spaces/${space}/restore`, { body: {} })
  await refreshSpaces(organization)
}
