/* objects CASE: locks of one class, told apart by the object that they are part of; and many locks.
 */
#include "turns.h"

static pthread_mutex_t outside = PTHREAD_MUTEX_INITIALIZER;

static NOINLINE void nest(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

struct account {
    long balance;
    pthread_mutex_t mutex;
};

static struct account *accounts[3];

static void open_accounts(void)
{
    for (int i = 0; i < 3; i++) {
        MUST((accounts[i] = calloc(1, sizeof **accounts)) != NULL);
        pthread_mutex_init(&accounts[i]->mutex, NULL);
    }
}

static NOINLINE void transfer(int from, int to)
{
    nest(&accounts[from]->mutex, &accounts[to]->mutex);
}

static void from_0_to_1(void)
{
    transfer(0, 1);
}

static void from_1_to_0(void)
{
    transfer(1, 0);
}

static void from_1_to_2(void)
{
    transfer(1, 2);
}

static void from_2_to_0(void)
{
    transfer(2, 0);
}

static void there_and_back(void)
{
    open_accounts();
    two_in_turn(from_0_to_1, from_1_to_0);
}

static void in_a_row(void)
{
    open_accounts();
    two_in_turn(from_0_to_1, from_1_to_2);
}

static void in_a_ring(void)
{
    open_accounts();
    in_turn(3, (act[]){from_0_to_1, from_1_to_2, from_2_to_0});
}

static struct pair {
    pthread_mutex_t inner, outer;
} pairs[2] = {
    {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER},
    {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER},
};

static void first_outwards(void)
{
    nest(&pairs[0].inner, &pairs[0].outer);
}

static void first_inwards(void)
{
    nest(&pairs[0].outer, &pairs[0].inner);
}

static void second_inwards(void)
{
    nest(&pairs[1].outer, &pairs[1].inner);
}

static void pairs_apart(void)
{
    two_in_turn(first_outwards, second_inwards);
}

static void pairs_same(void)
{
    two_in_turn(first_outwards, first_inwards);
}

/* ---- many --------------------------------------------------------------------------------- */

enum { AT_ONCE = 300, IN_ALL = 100000 };

static pthread_mutex_t crowd[AT_ONCE];

static void take_crowd(void)
{
    for (int i = 0; i < AT_ONCE; i++)
        MUST(pthread_mutex_lock(&crowd[i]) == 0);
    for (int i = AT_ONCE; i-- > 0;)
        MUST(pthread_mutex_unlock(&crowd[i]) == 0);
}

static void last_before_first(void)
{
    nest(&crowd[AT_ONCE - 1], &crowd[0]);
}

static void first_before_last(void)
{
    nest(&crowd[0], &crowd[AT_ONCE - 1]);
}

static void crowd_in_order(void)
{
    two_in_turn(take_crowd, first_before_last);
}

static void crowd_out_of_order(void)
{
    two_in_turn(take_crowd, last_before_first);
}

static void churn(void)
{
    pthread_mutex_t *many = calloc(IN_ALL, sizeof *many);
    MUST(many);
    for (int i = 0; i < IN_ALL; i++) {
        pthread_mutex_init(&many[i], NULL);
        nest(&outside, &many[i]);
        pthread_mutex_destroy(&many[i]);
    }
    free(many);
}

static void many_come_and_go(void)
{
    in_thread(churn);
}

static void many_come_and_go_then_orders(void)
{
    in_thread(churn);
    pairs_same();
}

int main(int argc, char **argv)
{
    static const struct named_case cases[] = {
        {"there-and-back", there_and_back},
        {"in-a-row", in_a_row},
        {"in-a-ring", in_a_ring},
        {"pairs-apart", pairs_apart},
        {"pairs-same", pairs_same},
        {"crowd-in-order", crowd_in_order},
        {"crowd-out-of-order", crowd_out_of_order},
        {"many-come-and-go", many_come_and_go},
        {"many-come-and-go-then-orders", many_come_and_go_then_orders},
    };
    return RUN_CASE(cases, argc, argv);
}
