! neighbours.c in Fortran, through the interface that is defined when it is compiled: MPIF (mpif.h),
! MODULE (use mpi) or F08 (use mpi_f08). It prints the same and fails where that does.
#ifdef F08
#define HANDLE(KIND) type(KIND)
#else
#define HANDLE(KIND) integer
#endif
program neighbours
#if defined(F08)
    use mpi_f08
#elif defined(MODULE)
    use mpi
#endif
    implicit none
#ifdef MPIF
    include 'mpif.h'
#endif
    integer, parameter :: FOUND_WRONG = 3, MOST = 4, WIDEST = 5, UNTOUCHED = -7

    ! Neighbours on one side, in the order in which they are served; MPI_PROC_NULL: none there.
    type side
        integer :: count = 0
        integer :: rank(MOST) = MPI_PROC_NULL
        integer :: weight(MOST) = 0
    end type

    type neighbourhood
        type(side) :: from, to
    end type

    character(len=24) :: label = 'start'
    integer :: edge, node, world_rank, world_size, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, world_rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, world_size, ierr)
    edge = nint(sqrt(real(world_size)))
    call require(edge * edge == world_size .and. edge > 2, 'ranks')
    call find_node()
    call cart('cart', edge, .false.)
    call cart('cart_periodic', edge, .true.)
    call cart('cart_smaller', edge - 1, .false.)
    call cart_map()
    call graph('graph', .true.)
    call graph('graph_unweighted', .false.)
    call graph_adjacent('adjacent', .true.)
    call graph_adjacent('adjacent_unweighted', .false.)
    call MPI_Finalize(ierr)

contains

    subroutine require(is_so, what)
        logical, intent(in) :: is_so
        character(len=*), intent(in) :: what
        if (is_so) return
        write (0, '(4a)') 'wrong: ', trim(label), ': ', what
        call MPI_Abort(MPI_COMM_WORLD, FOUND_WRONG, ierr)
    end subroutine

    subroutine find_node()
        HANDLE(MPI_Comm) :: sharing
        call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, sharing, ierr)
        call MPI_Allreduce(world_rank, node, 1, MPI_INTEGER, MPI_MIN, sharing, ierr)
        call MPI_Comm_free(sharing, ierr)
    end subroutine

    integer function weight_of(from, to)
        integer, intent(in) :: from, to
        weight_of = 1 + mod(3 * from + 7 * to, WIDEST)
    end function

    subroutine add(to_side, rank, weight)
        type(side), intent(inout) :: to_side
        integer, intent(in) :: rank, weight
        to_side%count = to_side%count + 1
        to_side%rank(to_side%count) = rank
        to_side%weight(to_side%count) = weight
    end subroutine

    integer function rank_at(at, dims, periods)
        integer, intent(in) :: at(2), dims(2)
        logical, intent(in) :: periods(2)
        integer :: wrapped(2)
        wrapped = modulo(at, dims)
        rank_at = wrapped(1) * dims(2) + wrapped(2)
        if (any(wrapped /= at .and. .not. periods)) rank_at = MPI_PROC_NULL
    end function

    ! Along each axis down, then up.
    type(neighbourhood) function in_grid(rank, dims, periods) result(found)
        integer, intent(in) :: rank, dims(2)
        logical, intent(in) :: periods(2)
        integer :: axis, step, at(2), peer
        do axis = 1, 2
            do step = -1, 1, 2
                at = [rank / dims(2), mod(rank, dims(2))]
                at(axis) = at(axis) + step
                peer = rank_at(at, dims, periods)
                call add(found%from, peer, weight_of(peer, rank))
                call add(found%to, peer, weight_of(rank, peer))
            end do
        end do
    end function

    ! Those of the open grid, each rank beginning elsewhere.
    type(neighbourhood) function in_graph(rank) result(found)
        integer, intent(in) :: rank
        type(neighbourhood) :: all
        integer :: i, in, out
        all = in_grid(rank, [edge, edge], [.false., .false.])
        do i = 0, MOST - 1
            in = 1 + mod(i + rank, MOST)
            out = 1 + mod(i + 2 * rank + 1, MOST)
            if (all%from%rank(in) /= MPI_PROC_NULL) &
                call add(found%from, all%from%rank(in), all%from%weight(in))
            if (all%to%rank(out) /= MPI_PROC_NULL) &
                call add(found%to, all%to%rank(out), all%to%weight(out))
        end do
    end function

    integer function message(from, to, item)
        integer, intent(in) :: from, to, item
        message = 1000000 * item + 1000 * from + to
        if (from == MPI_PROC_NULL) message = UNTOUCHED
    end function

    ! Each rank sends one number to all, to each its own, to each as many as the edge weighs.
    subroutine exchange(comm, rank, of)
        HANDLE(MPI_Comm), intent(in) :: comm
        integer, intent(in) :: rank
        type(neighbourhood), intent(in) :: of
        integer :: sent(MOST * WIDEST), got(MOST * WIDEST), out(MOST), in(MOST), at(MOST), i, k
        at = [(WIDEST * (i - 1), i=1, MOST)]
        got = UNTOUCHED
        sent(1) = rank
        call MPI_Neighbor_allgather(sent, 1, MPI_INTEGER, got, 1, MPI_INTEGER, comm, ierr)
        do i = 1, of%from%count
            call require(got(i) == merge(of%from%rank(i), UNTOUCHED, of%from%rank(i) >= 0), 'allgather')
        end do
        do i = 1, of%to%count
            sent(i) = message(rank, of%to%rank(i), 0)
        end do
        call MPI_Neighbor_alltoall(sent, 1, MPI_INTEGER, got, 1, MPI_INTEGER, comm, ierr)
        do i = 1, of%from%count
            call require(got(i) == message(of%from%rank(i), rank, 0), 'alltoall')
        end do
        out = merge(of%to%weight, 0, of%to%rank >= 0)
        in = merge(of%from%weight, 0, of%from%rank >= 0)
        do i = 1, of%to%count
            do k = 1, out(i)
                sent(at(i) + k) = message(rank, of%to%rank(i), k)
            end do
        end do
        call MPI_Neighbor_alltoallv(sent, out, at, MPI_INTEGER, got, in, at, MPI_INTEGER, comm, ierr)
        do i = 1, of%from%count
            do k = 1, in(i)
                call require(got(at(i) + k) == message(of%from%rank(i), rank, k), 'alltoallv')
            end do
        end do
    end subroutine

    ! Coordinates are printed where the communicator has `columns`.
    subroutine print_members(comm, columns)
        HANDLE(MPI_Comm), intent(in) :: comm
        integer, intent(in) :: columns
        integer :: rank, comm_size, i
        integer, allocatable :: all(:, :)
        call MPI_Comm_rank(comm, rank, ierr)
        call MPI_Comm_size(comm, comm_size, ierr)
        allocate (all(2, 0:comm_size - 1))
        call MPI_Gather([world_rank, node], 2, MPI_INTEGER, all, 2, MPI_INTEGER, 0, comm, ierr)
        if (rank /= 0) return
        do i = 0, comm_size - 1
            if (columns > 0) then
                print '(a, 5(1x, i0))', trim(label), i, all(:, i), i / columns, mod(i, columns)
            else
                print '(a, 3(1x, i0))', trim(label), i, all(:, i)
            end if
        end do
    end subroutine

    subroutine check_grid(comm, dims, periods)
        HANDLE(MPI_Comm), intent(in) :: comm
        integer, intent(in) :: dims(2)
        logical, intent(in) :: periods(2)
        integer :: rank, comm_size, axis, down, up, at(2), got_dims(2)
        logical :: got_periods(2)
        type(neighbourhood) :: of
        call MPI_Comm_rank(comm, rank, ierr)
        call MPI_Comm_size(comm, comm_size, ierr)
        call require(comm_size == product(dims), 'size')
        call MPI_Cart_get(comm, 2, got_dims, got_periods, at, ierr)
        call require(all(at == [rank / dims(2), mod(rank, dims(2))]), 'coordinates')
        call require(all(got_dims == dims) .and. all(got_periods .eqv. periods), 'shape')
        of = in_grid(rank, dims, periods)
        do axis = 1, 2
            call MPI_Cart_shift(comm, axis - 1, 1, down, up, ierr)
            call require(all([down, up] == of%to%rank(2 * axis - 1:2 * axis)), 'shift')
        end do
        call exchange(comm, rank, of)
        call print_members(comm, dims(2))
    end subroutine

    subroutine cart(name, rows, is_periodic)
        character(len=*), intent(in) :: name
        integer, intent(in) :: rows
        logical, intent(in) :: is_periodic
        HANDLE(MPI_Comm) :: comm
        integer :: is_member, members
        label = name
        call MPI_Cart_create(MPI_COMM_WORLD, 2, [rows, edge], [is_periodic, is_periodic], .true., comm, ierr)
        is_member = merge(1, 0, comm /= MPI_COMM_NULL)
        call MPI_Allreduce(is_member, members, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
        call require(members == rows * edge, 'members')
        if (is_member == 0) return
        call check_grid(comm, [rows, edge], [is_periodic, is_periodic])
        call MPI_Comm_free(comm, ierr)
    end subroutine

    subroutine cart_map()
        HANDLE(MPI_Comm) :: ordered, comm
        integer :: new_rank, rank
        label = 'cart_map'
        call MPI_Cart_map(MPI_COMM_WORLD, 2, [edge, edge], [.false., .false.], new_rank, ierr)
        call MPI_Comm_split(MPI_COMM_WORLD, 0, new_rank, ordered, ierr)
        call MPI_Comm_rank(ordered, rank, ierr)
        call require(rank == new_rank, 'new rank')
        call MPI_Cart_create(ordered, 2, [edge, edge], [.false., .false.], .false., comm, ierr)
        call check_grid(comm, [edge, edge], [.false., .false.])
        call MPI_Comm_free(comm, ierr)
        call MPI_Comm_free(ordered, ierr)
    end subroutine

    logical function agree(a, b, in_order, is_weighted)
        type(side), intent(in) :: a, b
        logical, intent(in) :: in_order, is_weighted
        integer :: i, k, found
        found = 0
        do i = 1, a%count
            do k = 1, b%count
                if (a%rank(i) == b%rank(k) .and. (i == k .or. .not. in_order) .and. &
                    (a%weight(i) == b%weight(k) .or. .not. is_weighted)) found = found + 1
            end do
        end do
        agree = a%count == b%count .and. found == a%count
    end function

    subroutine check_graph(comm, in_order, is_weighted)
        HANDLE(MPI_Comm), intent(inout) :: comm
        logical, intent(in) :: in_order, is_weighted
        type(neighbourhood) :: of, got
        integer :: rank, i
        logical :: has_weights
        call MPI_Comm_rank(comm, rank, ierr)
        of = in_graph(rank)
        call MPI_Dist_graph_neighbors_count(comm, got%from%count, got%to%count, has_weights, ierr)
        call require(has_weights .eqv. is_weighted, 'weighted')
        call require(max(got%from%count, got%to%count) <= MOST, 'number of neighbours')
        call MPI_Dist_graph_neighbors(comm, MOST, got%from%rank, got%from%weight, MOST, &
                                      got%to%rank, got%to%weight, ierr)
        call require(agree(of%from, got%from, in_order, is_weighted), 'sources')
        call require(agree(of%to, got%to, in_order, is_weighted), 'destinations')
        if (.not. is_weighted) then
            got%from%weight = [(weight_of(got%from%rank(i), rank), i=1, MOST)]
            got%to%weight = [(weight_of(rank, got%to%rank(i)), i=1, MOST)]
        end if
        call exchange(comm, rank, got)
        call print_members(comm, 0)
        if (rank == 0) call print_edges()
        call MPI_Comm_free(comm, ierr)
    end subroutine

    subroutine print_edges()
        type(neighbourhood) :: of
        integer :: rank, i
        do rank = 0, world_size - 1
            of = in_graph(rank)
            do i = 1, of%to%count
                print '(2a, 3(1x, i0))', trim(label), ' edge', rank, of%to%rank(i), of%to%weight(i)
            end do
        end do
    end subroutine

    subroutine graph_adjacent(name, is_weighted)
        character(len=*), intent(in) :: name
        logical, intent(in) :: is_weighted
        HANDLE(MPI_Comm) :: comm
        type(neighbourhood) :: of
        label = name
        of = in_graph(world_rank)
        if (is_weighted) then
            call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, of%from%count, of%from%rank, &
                of%from%weight, of%to%count, of%to%rank, of%to%weight, MPI_INFO_NULL, .true., comm, ierr)
        else
            call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, of%from%count, of%from%rank, &
                MPI_UNWEIGHTED, of%to%count, of%to%rank, MPI_UNWEIGHTED, MPI_INFO_NULL, .true., comm, ierr)
        end if
        call check_graph(comm, .true., is_weighted)
    end subroutine

    ! Each rank tells the edges of another.
    subroutine graph(name, is_weighted)
        character(len=*), intent(in) :: name
        logical, intent(in) :: is_weighted
        HANDLE(MPI_Comm) :: comm
        type(neighbourhood) :: of
        integer :: told
        label = name
        told = mod(world_rank + 1, world_size)
        of = in_graph(told)
        if (is_weighted) then
            call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [told], [of%to%count], of%to%rank, &
                of%to%weight, MPI_INFO_NULL, .true., comm, ierr)
        else
            call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [told], [of%to%count], of%to%rank, &
                MPI_UNWEIGHTED, MPI_INFO_NULL, .true., comm, ierr)
        end if
        call check_graph(comm, .false., is_weighted)
    end subroutine
end program
