/**
 * Names of the interface that have a translation: states, triggers, and the types and attributes that people see most. Any
 * other name is shown in English, as the interface and its reference write it.
 */
export const NAMES: readonly string[] = [
  ...['Draft', 'Pending', 'Placing', 'Placed', 'Editing', 'Approved', 'Cancelled', 'Unpaid', 'Authorized'],
  ...['Partially authorized', 'Paid', 'Partially paid', 'Voided', 'Partially voided', 'Refunded', 'Free'],
  ...['Partially refunded', 'Unfulfilled', 'In progress', 'Fulfilled', 'Not required', 'Upcoming', 'On hold'],
  ...['Picking', 'Packing', 'Ready to ship', 'Shipped', 'Delivered', 'Requested', 'Rejected', 'Received'],
  ...['Approve', 'Approve and capture', 'Cancel', 'Capture', 'Refund', 'Archive', 'Unarchive', 'Place'],
  ...['Start editing', 'Stop editing', 'Start fulfilling', 'Fulfill', 'Ship', 'Deliver', 'Void'],
  ...['Pay', 'Authorize', 'Rebuild shipments'],
  ...['Status', 'Payment status', 'Fulfillment status', 'Created at', 'Updated at', 'Metadata'],
  ...['Orders', 'Customers', 'Prices', 'Markets', 'Shipments', 'Returns', 'Webhooks', 'Imports', 'Exports'],
  ...['Authorizations', 'Captures', 'Voids', 'Refunds', 'Sales channel', 'Integration', 'Webapp'],
  ...['Admin', 'Read only', 'Custom', 'Completed', 'Interrupted', 'Failed'],
  ...['Working', 'Failing', 'Stopped', 'Disabled'],
]
