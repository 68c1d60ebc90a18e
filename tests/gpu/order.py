"""Two groups of the same ranks: rank 0 reduces over one and then the other, rank 1 otherwise."""

import datetime as dt

import torch
import torch.distributed as dist


def reduce_over(group, tensor):
    dist.all_reduce(tensor, group=group)
    torch.cuda.synchronize()


def main():
    limit = dt.timedelta(seconds=40)
    dist.init_process_group("nccl", timeout=limit)
    rank = dist.get_rank()
    torch.cuda.set_device(rank)
    tensor = torch.ones(1 << 20, device="cuda")
    gradients, metrics = dist.new_group(timeout=limit), dist.new_group(timeout=limit)
    reduce_over(gradients, tensor)
    reduce_over(metrics, tensor)
    if rank == 0:
        reduce_over(gradients, tensor)
        reduce_over(metrics, tensor)
    else:
        reduce_over(metrics, tensor)
        reduce_over(gradients, tensor)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
