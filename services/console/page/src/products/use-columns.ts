/** The columns of the products that the role may read. */
import { useQuery } from '@tanstack/react-query'
import { useMay } from '../data/permissions.ts'
import { readColumns } from './columns.ts'

export const useColumns = () => {
  const may = useMay()
  const readable = {
    prices: may('read', 'prices') && may('read', 'price_lists'),
    stock: may('read', 'stock_items') && may('read', 'stock_locations'),
    markets: may('read', 'markets'),
  }
  return useQuery({
    queryKey: ['columns', readable],
    queryFn: () => readColumns(readable),
    enabled: may('read', 'skus'),
    staleTime: 60_000,
  })
}
