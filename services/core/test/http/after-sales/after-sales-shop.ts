/** The shop of a sequence: its promotion, coupon and gift card, its bundle, and the carts that it begins with. */
import { ARTICLES, newOrder, PRICES } from '../../support/after-sales-model.ts'
import type { ShopModel, Terms } from '../../support/after-sales-model.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { subscriptionCalls } from '../subscriptions/subscription-calls.ts'
import { bundleCalls } from '../support/bundle-calls.ts'
import { giftCardCalls } from '../support/gift-card-calls.ts'
import { ADDRESSES, attributesOf, linkTo, one, orderCalls } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'
import { promotionCalls } from '../support/promotion-calls.ts'
import { WITH_RETURNS } from '../support/return-calls.ts'
import type { Shop } from './after-sales-books.ts'
import { CARD, COUPON, SOURCE } from './after-sales-steps.ts'
import type { afterSalesSteps } from './after-sales-steps.ts'

/** Its market takes goods back, captures by hand, and has enough of everything. */
const TRADE = `${WITH_RETURNS};
  UPDATE payment_methods SET auto_capture = false WHERE id = 1;
  UPDATE stock_items SET quantity = 500;
  UPDATE prices SET amount_cents = ${PRICES.A}, compare_at_amount_cents = NULL WHERE id = 1;
  UPDATE prices SET amount_cents = ${PRICES.B} WHERE id = 2`

const until = (ms: number) => ({ expires_at: new Date(ms).toISOString() })

export const afterSalesShop = (core: () => TestCore, jumpTo: (text: string) => void) => {
  const { draft, add, changeOrder } = orderCalls(core)
  const { pay, ok } = paymentCalls(core)
  const { make, promote } = promotionCalls(core)
  const { draftCard } = giftCardCalls(core)
  const { bundleOf } = bundleCalls(core)
  const { offer } = subscriptionCalls(core)

  const makeCoupon = async (terms: Terms): Promise<void> => {
    const promotion = await promote('fixed_amount', {
      name: 'Coupon',
      fixed_amount_cents: terms.couponCents,
      currency_code: 'EUR',
      ...until(terms.couponEnds),
    })
    const links = { promotion: linkTo('fixed_amount_promotions', promotion) }
    const rule = await make('coupon_codes_promotion_rules', {}, links)
    await make(
      'coupons',
      { code: COUPON, usage_limit: terms.couponLimit, customer_single_use: terms.isOncePerCustomer },
      { promotion_rule: linkTo('coupon_codes_promotion_rules', rule) },
    )
  }

  const makeCard = (terms: Terms): Promise<string> =>
    draftCard({
      code: CARD,
      balance_cents: terms.cardCents,
      distribute_discount: terms.isSpread,
      rechargeable: terms.isRechargeable,
      single_use: terms.isSingleUse,
      ...until(terms.cardEnds),
    })

  const stockOf = async (code: string): Promise<number> => {
    const text = `SELECT sum(quantity)::int AS units FROM stock_items WHERE environment_id = 1 AND sku_code = $1`
    const { rows } = await core().pool.query<{ units: number }>(text, [code])
    return rows[0]?.units ?? 0
  }

  return {
    open: async (start: number, terms: Terms): Promise<{ model: ShopModel; shop: Shop }> => {
      await reseedShop(core().pool)
      jumpTo(new Date(start).toISOString())
      await offer([terms.frequency], { auto_cancel: terms.isCancelledWithSource })
      await core().pool.query(TRADE)
      await bundleOf({ 'SKU-A': 1, 'SKU-B': 2 }, { code: 'SET', price_amount_cents: PRICES.SET })
      const sale = await promote('percentage_discount', {
        name: 'Sale',
        percentage: terms.percentage,
        total_usage_limit: terms.saleLimit,
        ...until(terms.saleEnds),
      })
      await makeCoupon(terms)
      const model: ShopModel = {
        terms,
        now: start,
        isOnSale: true,
        card: { status: 'draft', balance: terms.cardCents, byHand: 0 },
        orders: [],
        subscription: undefined,
        stock: [await stockOf('SKU-A'), await stockOf('SKU-B')],
      }
      return { model, shop: { card: await makeCard(terms), sale, orders: [], returns: new Map() } }
    },

    /** A cart that can be placed once there is something in it. The first one buys the gift card. */
    beginOrder: async (
      model: ShopModel,
      shop: Shop,
      units: readonly number[],
      steps: ReturnType<typeof afterSalesSteps>,
    ): Promise<void> => {
      const at = model.orders.length
      const customer = at === 0 ? 'bob@example.com' : 'ada@example.com'
      const order = await draft({ customer_email: customer })
      const links = { item: linkTo('gift_cards', shop.card) }
      if (at === 0) ok(await add(core().tokens.admin, order, { quantity: 1 }, links))
      attributesOf(await changeOrder(order, {}, { ...ADDRESSES, payment_method: one('payment_methods', 1) }))
      ok(await pay(order))
      if (at === SOURCE) ok(await changeOrder(order, { _save_payment_source_to_customer_wallet: true }))
      model.orders.push(newOrder(customer, at === 0))
      shop.orders.push(order)
      for (const [each, quantity] of units.entries())
        if (quantity > 0) await steps.units(at, ARTICLES[each] ?? 'A', quantity).run(model, shop)
    },
  }
}
